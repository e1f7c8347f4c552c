import {
  aBoolean,
  aNumber,
  anInteger,
  anObject,
  anything,
  aText,
  fieldsOf,
  formOf,
  listOf,
  oneOf,
  orNull,
  type DataForm,
} from '../common/dataForm.js';
import { isRecord } from '../common/guards.js';
import type { Usage } from './Usage.js';

/** Arguments as a model sent them: JSON text, an object or null. */
export const argumentsForm: DataForm = formOf(
  'JSON text, an object or null',
  (value) => typeof value === 'string' || value === null || isRecord(value),
);

export const toolCallForm: DataForm = fieldsOf(
  { id: aText, name: aText, arguments: argumentsForm },
  { wireName: aText },
);

export const usageFields: Readonly<Record<keyof Usage, DataForm>> = {
  inputTokens: aNumber,
  outputTokens: aNumber,
  totalTokens: aNumber,
  cachedInputTokens: aNumber,
  cacheWriteTokens: aNumber,
  reasoningTokens: aNumber,
};
export const usageForm = fieldsOf({}, usageFields);

export const nativeForm: DataForm = fieldsOf(
  { provider: aText, content: listOf(anything) },
  { pauses: listOf(anInteger) },
);

const toolChangesForm = fieldsOf({ added: listOf(aText), removed: listOf(aText) });
const textPartForm = fieldsOf({ kind: oneOf('text'), text: aText });
const bytesPartForm = fieldsOf(
  { kind: oneOf('text', 'image', 'audio', 'file'), mediaType: aText },
  { data: aText, url: aText, name: aText },
);
const partForm: DataForm = (value) =>
  isRecord(value) && value['kind'] === 'text' ? textPartForm(value) : bytesPartForm(value);

const content = { content: aText };
const parts = { parts: listOf(partForm) };
const tools = { tools: toolChangesForm };

const messageForms: Readonly<Record<string, DataForm>> = {
  system: fieldsOf(content),
  user: fieldsOf(content, { ...parts, ...tools, note: oneOf('operator', 'application') }),
  // The text is null if the model only called tools.
  assistant: fieldsOf({ content: orNull(aText) }, { toolCalls: listOf(toolCallForm), native: nativeForm }),
  tool: fieldsOf({ ...content, toolCallId: aText, name: aText, failed: aBoolean }, { ...parts, ...tools }),
};
const roleForm = oneOf(...Object.keys(messageForms));

/** The form of a message in a record. Its parts may come without their bytes. */
export const messageForm: DataForm = (value) => {
  if (!isRecord(value)) return anObject(value);
  const { role } = value;
  const form = typeof role === 'string' && Object.hasOwn(messageForms, role) ? messageForms[role] : undefined;
  return form === undefined ? fieldsOf({ role: roleForm })(value) : form(value);
};

export function createMessageForm(role: string): DataForm {
  const ofRole = fieldsOf({ role: oneOf(role) });
  return (value) => ofRole(value) ?? messageForm(value);
}

import type { JsonValue, Message, ToolCall } from 'toolwright';
import type { NativeContent } from 'toolwright/adapters';
import { readCallInput, makeLegalName, readPieces, wrapBridgeCall } from 'toolwright/internal';
import { isRecord } from 'toolwright/internal/light';
import type {
  AiFilePart,
  AiLanguageModel,
  AiProviderOptions,
  AiTextPart,
  AiToolCallPart,
  AiToolResultPart,
} from './AiLanguageModel.js';
import { writeOutputParts, writeUserParts } from './fileParts.js';
import { isBlank, isOwnCall, readNativeName, toRequestPart } from './readNativeParts.js';

/** A part of a message of the assistant; other parts of its provider are passed on unchanged. */
export type AssistantPart = AiTextPart | AiFilePart | AiToolCallPart;

/** The model for which messages are written. */
export interface Written {
  readonly provider: string;
  readonly version: AiLanguageModel['specificationVersion'];
  /** True if the provider accepts the blank texts of its own answers. */
  readonly keepsBlank: boolean;
}

/** Writes the parts of an answer: the provider's own parts, or text and calls. One list for each piece of the answer. */
export function writeAnswerParts(
  { provider, keepsBlank }: Written,
  { content, native, toolCalls = [] }: Extract<Message, { role: 'assistant' }>,
  ids: readonly string[],
): readonly (readonly AssistantPart[])[] {
  const calls = toolCalls.map((call, index) => writeCallPart(call, ids[index] ?? call.id));
  return native?.provider === readNativeName(provider)
    ? keepParts(native, calls, keepsBlank)
    : [[...writeTexts(content), ...calls]];
}

export function writeUserMessage(
  { version }: Written,
  text: string,
  { parts }: Extract<Message, { role: 'user' }>,
): (AiTextPart | AiFilePart)[] {
  return [...writeTexts(text), ...writeUserParts(version, parts)];
}

export function writeResultPart(
  { version }: Written,
  text: string,
  { toolCallId, name, parts = [], failed }: Extract<Message, { role: 'tool' }>,
  id: string | undefined,
): AiToolResultPart {
  const files = writeOutputParts(version, parts);
  const value = isBlank(text) ? (failed ? 'The tool failed.' : 'OK') : text;
  return {
    type: 'tool-result',
    toolCallId: id ?? toolCallId,
    toolName: makeLegalName(name),
    output:
      files.length === 0
        ? { type: failed ? 'error-text' : 'text', value }
        : // A failure cannot have files; its text says that the call failed.
          { type: 'content', value: [...(isBlank(text) && !failed ? [] : writeTexts(value)), ...files] as never[] },
  };
}

/** Leaves out blank text, which several providers refuse. */
export function writeTexts(text: string | null): AiTextPart[] {
  return text === null || isBlank(text) ? [] : [{ type: 'text', text }];
}

/** Keeps the parts unchanged and in order, so that signatures stay valid; calls are written from the conversation. */
function keepParts(
  native: NativeContent,
  calls: AiToolCallPart[],
  keepsBlank: boolean,
): readonly (readonly AssistantPart[])[] {
  const written = (part: JsonValue): AssistantPart[] => {
    if (!isRecord(part)) return [];
    const { type, text, input, providerOptions } = part;
    const options = isRecord(providerOptions) ? { providerOptions: providerOptions as AiProviderOptions } : {};
    if (isOwnCall(part))
      return calls.splice(0, 1).map((call) => ({ ...call, ...(isRecord(input) ? { input } : {}), ...options }));
    // A blank text may carry data that the provider needs, such as a signature; an empty text of Claude carries nothing.
    if (type === 'text' && isBlank(text) && !keepsBlank && !isRecord(providerOptions)) return [];
    const back = toRequestPart(part);
    return back === undefined ? [] : [back as unknown as AssistantPart];
  };
  const pieces = readPieces(native).map((piece) => piece.flatMap(written));
  return [...pieces.slice(0, -1), [...(pieces.at(-1) ?? []), ...calls]];
}

function writeCallPart(call: ToolCall, toolCallId: string): AiToolCallPart {
  const { name, arguments: given } = wrapBridgeCall(call);
  return { type: 'tool-call', toolCallId, toolName: makeLegalName(name), input: readCallInput(given) };
}

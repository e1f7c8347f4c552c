import { isJson, list, objects, strangers, type Json } from './json';
import type { RequestRule } from './RequestRule';

/** The keys of a message, by role; `developer` is the newer name of `system`. */
const KEYS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['system', ['role', 'content', 'name']],
  ['developer', ['role', 'content', 'name']],
  ['user', ['role', 'content', 'name']],
  ['assistant', ['role', 'content', 'name', 'refusal', 'audio', 'tool_calls', 'function_call']],
  ['tool', ['role', 'content', 'tool_call_id']],
]);

const PARTS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['system', ['text']],
  ['developer', ['text']],
  ['user', ['text', 'image_url', 'input_audio', 'file']],
  ['assistant', ['text', 'refusal']],
  ['tool', ['text']],
]);

const LONGEST_ID = 40;
const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export const messageRules: readonly RequestRule[] = [
  {
    id: 'message-role',
    what: 'Every message is an object with a known role.',
    check: ({ messages }) =>
      list(messages).flatMap((message, index) =>
        isJson(message) && KEYS.has(message['role'])
          ? []
          : [
              `Invalid value: '${isJson(message) ? String(message['role']) : String(message)}' - messages[${String(index)}].role`,
            ],
      ),
  },
  {
    id: 'message-keys',
    what: 'A message has no other fields than its role allows.',
    check: ({ messages }) =>
      objects(messages).flatMap(([index, message]) => {
        const known = KEYS.get(message['role']);
        return (known === undefined ? [] : strangers(message, known)).map(
          (key) => `Unknown parameter: 'messages[${String(index)}].${key}'.`,
        );
      }),
  },
  {
    id: 'message-content',
    what: 'Content is text, or a list of parts; only an assistant that calls tools may leave it out.',
    check: ({ messages }) =>
      objects(messages).flatMap(([index, message]) =>
        hasContent(message)
          ? []
          : [`Invalid value for 'content': expected a string - messages[${String(index)}].content`],
      ),
  },
  ...callRules(),
  ...answerRules(),
];

function hasContent({ role, content, tool_calls: calls }: Json): boolean {
  if (typeof content === 'string') return true;
  if (content === null || content === undefined) return role === 'assistant' && list(calls).length > 0;
  const parts = list(content);
  return (
    parts.length > 0 &&
    parts.every((part) => isJson(part) && PARTS.get(role)?.includes(String(part['type'])) === true && hasPayload(part))
  );
}

function hasPayload(part: Json): boolean {
  const payload = part[String(part['type'])];
  switch (part['type']) {
    case 'text':
    case 'refusal':
      return typeof payload === 'string';
    case 'image_url':
      return isJson(payload) && /^(https?:|data:image\/)/.test(String(payload['url']));
    case 'input_audio':
      return (
        isJson(payload) && ['wav', 'mp3'].includes(String(payload['format'])) && typeof payload['data'] === 'string'
      );
    default:
      // A file has no address here.
      return (
        isJson(payload) && typeof payload['filename'] === 'string' && String(payload['file_data']).startsWith('data:')
      );
  }
}

/** Every tool call of a message with its place, for the rules on one call. */
function eachCall(check: (call: Json, place: string) => readonly string[]): RequestRule['check'] {
  return ({ messages }) =>
    objects(messages).flatMap(([message, { tool_calls: calls }]) =>
      objects(calls).flatMap(([index, call]) =>
        check(call, `messages[${String(message)}].tool_calls[${String(index)}]`),
      ),
    );
}

function callRules(): readonly RequestRule[] {
  return [
    {
      id: 'calls-shape',
      what: 'tool_calls is a list that is not empty, of an assistant, and every call is a function call.',
      check: ({ messages }) =>
        objects(messages).flatMap(([index, { role, tool_calls: calls }]) => {
          if (calls === undefined || role !== 'assistant') return [];
          const place = `messages[${String(index)}].tool_calls`;
          if (list(calls).length === 0)
            return [`Invalid '${place}': empty array. Expected an array with minimum length 1.`];
          return list(calls).flatMap((call, at) =>
            isJson(call) && call['type'] === 'function' && isJson(call['function'])
              ? []
              : [`Missing required parameter: '${place}[${String(at)}].type'.`],
          );
        }),
    },
    {
      id: 'call-id',
      what: `A call has an id of 1 to ${String(LONGEST_ID)} characters.`,
      check: eachCall(({ id }, place) =>
        typeof id === 'string' && id !== '' && id.length <= LONGEST_ID
          ? []
          : [`Invalid '${place}.id': expected a string with maximum length ${String(LONGEST_ID)}.`],
      ),
    },
    {
      id: 'call-id-unique',
      what: 'The ids of the calls of one message differ.',
      check: ({ messages }) =>
        objects(messages).flatMap(([index, { tool_calls: calls }]) => {
          const ids = objects(calls).map(([, { id }]) => id);
          return ids
            .filter((id, at) => ids.indexOf(id) !== at)
            .map((id) => `Duplicate value for 'tool_calls[].id' of '${String(id)}' in messages[${String(index)}].`);
        }),
    },
    {
      id: 'call-name',
      what: 'A call names a legal tool name.',
      check: eachCall(({ function: called }, place) =>
        isJson(called) && typeof called['name'] === 'string' && LEGAL_NAME.test(called['name'])
          ? []
          : [`Invalid '${place}.function.name': string does not match pattern '^[a-zA-Z0-9_-]+$'.`],
      ),
    },
    {
      id: 'call-arguments',
      what: 'Arguments are a string; what stands in it does not matter.',
      check: eachCall(({ function: called }, place) =>
        isJson(called) && typeof called['arguments'] === 'string'
          ? []
          : [`Invalid type for '${place}.function.arguments': expected a string.`],
      ),
    },
  ];
}

function answerRules(): readonly RequestRule[] {
  return [
    {
      id: 'calls-answered',
      what: 'Every call is answered before anybody else speaks.',
      check: ({ messages }) =>
        turns(list(messages)).flatMap(({ calls, answers, at }) => {
          const open = calls.filter((id) => !answers.some((answer) => answer.id === id));
          return open.length === 0
            ? []
            : [
                `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')} - messages[${String(at)}]`,
              ];
        }),
    },
    {
      id: 'answer-to-call',
      what: 'A tool message answers a call of the assistant message before it.',
      check: ({ messages }) =>
        turns(list(messages)).flatMap(({ calls, answers }) =>
          answers
            .filter(({ id }) => !calls.includes(id))
            .map(
              ({ at }) =>
                `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. - messages[${String(at)}].role`,
            ),
        ),
    },
    {
      id: 'answer-once',
      what: 'A call is answered once.',
      check: ({ messages }) =>
        turns(list(messages)).flatMap(({ answers }) =>
          answers
            .filter(({ id }, index) => answers.findIndex((answer) => answer.id === id) !== index)
            .map(
              ({ id, at }) =>
                `Invalid parameter: Duplicate value for 'tool_call_id' of '${String(id)}' - messages[${String(at)}].tool_call_id`,
            ),
        ),
    },
  ];
}

/** A message that is no tool message, and the tool messages that follow it. */
interface Turn {
  readonly at: number;
  readonly calls: readonly unknown[];
  readonly answers: { readonly id: unknown; readonly at: number }[];
}

function turns(messages: readonly unknown[]): readonly Turn[] {
  const found: Turn[] = [{ at: -1, calls: [], answers: [] }];
  for (const [at, message] of messages.entries()) {
    const { role, tool_call_id: id, tool_calls: calls } = isJson(message) ? message : {};
    if (role === 'tool') found.at(-1)?.answers.push({ id, at });
    else found.push({ at, calls: objects(calls).map(([, call]) => call['id']), answers: [] });
  }
  return found;
}

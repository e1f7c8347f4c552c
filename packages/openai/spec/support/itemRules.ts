import { isJson, list, objects, shown, strangers, type Json } from './json';
import { additionRules } from './additionRules';
import { searchRules } from './searchRules';
import type { RequestRule } from './RequestRule';

/** The keys of an item, by type; a message may leave its type out. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  message: ['role', 'content', 'phase', 'id', 'status'],
  function_call: ['call_id', 'name', 'arguments', 'namespace', 'caller', 'id', 'status'],
  function_call_output: ['call_id', 'output', 'caller', 'id', 'status'],
  reasoning: ['id', 'summary', 'content', 'encrypted_content', 'status'],
  tool_search_call: ['id', 'arguments', 'call_id', 'execution', 'status'],
  tool_search_output: ['id', 'tools', 'call_id', 'execution', 'status'],
  web_search_call: ['id', 'action', 'status'],
  custom_tool_call: ['call_id', 'name', 'input', 'namespace', 'caller', 'id', 'status'],
  custom_tool_call_output: ['call_id', 'output', 'id'],
  additional_tools: ['role', 'tools', 'id'],
  compaction: ['id', 'encrypted_content'],
};
const ROLES = ['user', 'assistant', 'system', 'developer'];
const PHASES = ['commentary', 'final_answer', null, undefined];
const LONGEST_ID = 64;
const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Items of the model that reasoning may precede. */
const OWN = ['function_call', 'custom_tool_call', 'tool_search_call', 'web_search_call', 'reasoning'];

const hasText = ({ text }: Json): boolean => typeof text === 'string';

/** The parts of a message for the model. Audio is not among them. */
const ASKED: ReadonlyMap<unknown, (part: Json) => boolean> = new Map([
  ['input_text', hasText],
  ['input_image', ({ image_url: url }: Json) => /^(https?:|data:image\/(png|jpeg|gif|webp);)/.test(shown(url))],
  [
    'input_file',
    ({ file_url: url, file_data: data, filename }: Json) =>
      typeof url === 'string' ? data === undefined : shown(data).startsWith('data:') && typeof filename === 'string',
  ],
]);

/** The parts of what the model said. */
const SAID: typeof ASKED = new Map([
  ['output_text', hasText],
  ['refusal', ({ refusal }: Json) => typeof refusal === 'string'],
]);

/** The type of an item; a message that leaves it out is one all the same. */
export function typeOf(item: Json): string {
  return item['type'] === undefined && 'role' in item ? 'message' : shown(item['type']);
}

/** Every item of a type, with its place. */
function each(type: string, check: (item: Json, place: string) => readonly string[]): RequestRule['check'] {
  return ({ input }) =>
    objects(input).flatMap(([index, item]) => (typeOf(item) === type ? check(item, `input[${String(index)}]`) : []));
}

export const itemRules: readonly RequestRule[] = [
  {
    id: 'item-shape',
    what: 'Every item is an object of a known type, with the known keys.',
    check: ({ input }) =>
      list(input).flatMap((item, index) => {
        const place = `input[${String(index)}]`;
        if (!isJson(item)) return [`Invalid type for '${place}': expected an input item.`];
        const known = KEYS[typeOf(item)];
        if (known === undefined) return [`Invalid value: '${shown(item['type'])}' - '${place}'.`];
        return strangers(item, ['type', ...known]).map((key) => `Unknown parameter: '${place}.${key}'.`);
      }),
  },
  {
    id: 'message-content',
    what: 'A message has a known role, and text or a list of texts as content; only an assistant has a phase.',
    check: each('message', ({ role, content, phase }, place) => [
      ...(ROLES.includes(shown(role)) ? [] : [`Invalid value: '${shown(role)}' - '${place}.role'.`]),
      ...(isContent(content, role === 'assistant' ? SAID : ASKED)
        ? []
        : [`Invalid type for '${place}.content': expected a string.`]),
      ...(PHASES.includes(phase as string) && (role === 'assistant' || phase === undefined)
        ? []
        : [`Invalid value: '${shown(phase)}' - '${place}.phase'.`]),
    ]),
  },
  ...callRules(),
  ...answerRules(),
  ...reasoningRules(),
  ...additionRules,
  ...searchRules,
];

function isContent(content: unknown, known: typeof ASKED): boolean {
  if (typeof content === 'string') return true;
  const parts = list(content);
  return parts.length > 0 && parts.every((part) => isJson(part) && known.get(part['type'])?.(part) === true);
}

function callRules(): readonly RequestRule[] {
  return [
    {
      id: 'call-id',
      what: `A call has a call_id of 1 to ${String(LONGEST_ID)} characters.`,
      check: each('function_call', ({ call_id: id }, place) =>
        typeof id === 'string' && id !== '' && id.length <= LONGEST_ID
          ? []
          : [`Invalid '${place}.call_id': expected a string with maximum length ${String(LONGEST_ID)}.`],
      ),
    },
    {
      id: 'call-id-unique',
      what: 'The ids of calls differ, in the whole conversation.',
      check: ({ input }) => {
        const ids = idsOf(input, 'function_call');
        return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `Duplicate call_id '${shown(id)}'.`);
      },
    },
    {
      id: 'call-name',
      what: 'A call names a legal tool name.',
      check: each('function_call', ({ name }, place) =>
        typeof name === 'string' && LEGAL_NAME.test(name)
          ? []
          : [`Invalid '${place}.name': string does not match pattern '^[a-zA-Z0-9_-]+$'.`],
      ),
    },
    {
      id: 'call-arguments',
      what: 'Arguments are a string; what stands in it does not matter.',
      check: each('function_call', ({ arguments: args }, place) =>
        typeof args === 'string' ? [] : [`Invalid type for '${place}.arguments': expected a string.`],
      ),
    },
  ];
}

function answerRules(): readonly RequestRule[] {
  return [
    {
      id: 'answer-output',
      what: 'The output of a call is a string, or a list of texts, images and files.',
      check: each('function_call_output', ({ output }, place) =>
        isContent(output, ASKED) ? [] : [`Invalid type for '${place}.output': expected a string.`],
      ),
    },
    {
      id: 'calls-answered',
      what: 'Every call has its output.',
      check: ({ input }) => {
        const answers = idsOf(input, 'function_call_output');
        return idsOf(input, 'function_call')
          .filter((id) => !answers.includes(id))
          .map((id) => `No tool output found for function call ${shown(id)}.`);
      },
    },
    {
      id: 'answer-to-call',
      what: 'An output belongs to a call before it, and no other does.',
      check: ({ input }) =>
        objects(input).flatMap(([index, item]) => {
          if (!['function_call_output', 'custom_tool_call_output'].includes(typeOf(item))) return [];
          const before = list(input).slice(0, index);
          const isCalled = idsOf(before, 'function_call').includes(item['call_id']);
          const isAnswered = idsOf(before, 'function_call_output').includes(item['call_id']);
          return isCalled && !isAnswered
            ? []
            : [`No tool call found for function call output with call_id ${shown(item['call_id'])}.`];
        }),
    },
  ];
}

function reasoningRules(): readonly RequestRule[] {
  return [
    {
      id: 'reasoning-stored',
      what: 'Reasoning that the provider did not store comes back with its encrypted content.',
      check: (body) =>
        each('reasoning', ({ id, encrypted_content: content }) =>
          body['store'] === true || (typeof content === 'string' && content !== '')
            ? []
            : [`Item with id '${shown(id)}' not found. Items are not persisted when \`store\` is set to false.`],
        )(body),
    },
    {
      id: 'reasoning-followed',
      what: 'Something of the same answer follows reasoning.',
      check: ({ input }) =>
        objects(input).flatMap(([index, item]) => {
          if (typeOf(item) !== 'reasoning') return [];
          const next = list(input)[index + 1];
          const isFollowed = isJson(next) && (OWN.includes(typeOf(next)) || next['role'] === 'assistant');
          return isFollowed
            ? []
            : [`Item '${shown(item['id'])}' of type 'reasoning' was provided without its required following item.`];
        }),
    },
  ];
}

function idsOf(input: unknown, type: string): readonly unknown[] {
  const types = [type, type.replace('function_call', 'custom_tool_call')];
  return objects(input).flatMap(([, item]) => (types.includes(typeOf(item)) ? [item['call_id']] : []));
}

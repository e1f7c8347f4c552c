import { isJson, list, objects, shown, strangers, type Json } from '../../../openai/spec/support/json';
import type { RequestProblem, RequestRule } from '../../../openai/spec/support/RequestRule';
import { bindingRule, storeRule } from './binding';
import { fileRule } from './fileRules';
import { newsRule } from './newsRules';

const ROLES = ['system', 'user', 'assistant', 'tool'];

/** The parts that a message of a role may hold. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'file'],
  assistant: ['text', 'file', 'reasoning', 'tool-call', 'tool-result'],
  tool: ['tool-result', 'tool-approval-response'],
};
const PARTS_OF_V4 = ['reasoning-file', 'custom'];
const ANSWERS_ONLY = ['source', 'tool-approval-request'];
const OUTPUTS = ['text', 'json', 'execution-denied', 'error-text', 'error-json', 'content'];
const BODY =
  'model provider messages version stream tools toolChoice responseFormat providerOptions maxOutputTokens temperature topP topK presencePenalty frequencyPenalty stopSequences seed headers reasoning'.split(
    ' ',
  );

/** The rules of the specification for a request, and further ones of providers. */
const rules: readonly RequestRule[] = [
  {
    id: 'body',
    what: 'Only known fields; reasoning in V4 only; toolChoice beside tools only.',
    check: (body) => [
      ...strangers(body, BODY).map((key) => `unknown field ${key}`),
      ...('reasoning' in body && body['version'] !== 'v4' ? ['reasoning is known to V4 only'] : []),
      ...('toolChoice' in body && list(body['tools']).length === 0 ? ['toolChoice without tools'] : []),
    ],
  },
  {
    id: 'roles',
    what: 'Known roles; system messages first, and later where the provider takes them; then a user speaks.',
    check: ({ messages, provider, version }) => {
      const roles = objects(messages).map(([, { role }]) => shown(role));
      const first = roles.findIndex((role) => role !== 'system');
      const rest = first < 0 ? [] : roles.slice(first);
      const isMisplaced = (role: string, index: number): boolean => {
        if (role !== 'system' || /^(openai|azure)\.(chat|responses)/.test(String(provider))) return false;
        if (!String(provider).startsWith('anthropic') || version !== 'v4') return true;
        const next = rest.slice(index).find((each) => each !== 'system');
        const before = rest
          .slice(0, index)
          .filter((each) => each !== 'system')
          .at(-1);
        return before === 'assistant' || before === undefined || (next !== undefined && next !== 'assistant');
      };
      return [
        ...roles.filter((role) => !ROLES.includes(role)).map((role) => `unknown role ${role}`),
        ...(rest.some(isMisplaced) ? ['a system message stands behind the first message'] : []),
        ...(rest[0] === 'user' ? [] : ['no user speaks first']),
      ];
    },
  },
  {
    id: 'parts',
    what: 'A system message is a text; any other one a list of parts that its role may hold, and not empty.',
    check: ({ messages, version }) =>
      objects(messages).flatMap(([index, { role, content }]) => {
        const place = `messages[${String(index)}]`;
        if (role === 'system') return typeof content === 'string' ? [] : [`${place} is no text`];
        if (list(content).length === 0) return [`${place} is empty`];
        const isKnown = ({ type, providerOptions }: Json): boolean => {
          if (PARTS[String(role)]?.includes(String(type)) === true) return true;
          if (role !== 'assistant' || ANSWERS_ONLY.includes(String(type))) return false;
          // What a later specification adds comes with what its provider needs.
          return PARTS_OF_V4.includes(String(type)) ? version !== 'v3' : isJson(providerOptions);
        };
        return objects(content)
          .filter(([, part]) => !isKnown(part))
          .map(([, { type }]) => `${place} holds ${shown(type)}`);
      }),
  },
  {
    id: 'blank',
    what: 'No text is blank, but those that a model said and wants back.',
    check: ({ messages, provider }) =>
      objects(messages).flatMap(([, { role, content }]) =>
        objects(content)
          .filter(([, { type, text }]) => type === 'text' && String(text).trim() === '')
          .filter(([, { providerOptions }]) => {
            const isWanted = String(provider).startsWith('anthropic') || isJson(providerOptions);
            return role !== 'assistant' || !isWanted;
          })
          .map(() => 'a text is blank'),
      ),
  },
  {
    id: 'inputs',
    what: 'The input of a call is an object.',
    check: (body) =>
      partsOf(body)
        .filter(({ type, input }) => type === 'tool-call' && !isJson(input))
        .map(({ toolName }) => `the input of ${shown(toolName)} is no object`),
  },
  {
    id: 'outputs',
    what: 'A result has a known form, and says something.',
    check: (body) =>
      partsOf(body)
        .filter(({ type }) => type === 'tool-result')
        .filter(({ output }) => !isJson(output) || !OUTPUTS.includes(String(output['type'])) || output['value'] === '')
        .map(({ toolName }) => `the result of ${shown(toolName)} has no form`),
  },
  {
    id: 'answers',
    what: 'Ids are unlike; every call is answered in the message behind it, once, in order, and nothing else is.',
    check: ({ messages }) => {
      const all = objects(messages).map(([, message]) => message);
      const ids = all.flatMap(callsOf);
      const repeated = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `the id ${id} comes again`);
      const wrong = all.flatMap((message, index) => {
        const asked = callsOf(message);
        const next = all[index + 1];
        const given =
          next?.['role'] === 'tool' ? objects(next['content']).map(([, part]) => shown(part['toolCallId'])) : [];
        if (message['role'] !== 'assistant' || asked.join() === given.join()) return [];
        return [`${asked.join()} is answered by ${given.join() || 'nobody'}`];
      });
      return [...repeated, ...wrong];
    },
  },
  {
    id: 'tools',
    what: 'Functions with a legal name, each once, and a schema of an object; or tools of the provider.',
    check: ({ tools }) => {
      const all = objects(tools).map(([, tool]) => tool);
      const names = all.map(({ name }) => shown(name));
      return [
        ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `the tool ${name} comes twice`),
        ...all.flatMap(({ type, name, inputSchema, id, args }) => {
          if (!/^[\w-]{1,64}$/.test(shown(name))) return [`the name ${shown(name)}`];
          if (type === 'provider')
            return typeof id === 'string' && isJson(args) ? [] : [`the provider's tool ${shown(name)}`];
          return type === 'function' && isJson(inputSchema) && inputSchema['type'] === 'object'
            ? []
            : [`the tool ${shown(name)} has no schema of an object`];
        }),
      ];
    },
  },
  fileRule,
  newsRule,
  bindingRule,
  storeRule,
];

/** The reasons to refuse a request; empty for a valid one. */
export function promptProblems(body: unknown): readonly RequestProblem[] {
  if (!isJson(body)) return [{ rule: 'body', message: 'The request is no object.' }];
  return rules.flatMap(({ id, check }) => check(body).map((message) => ({ rule: id, message })));
}

function partsOf({ messages }: Json): readonly Json[] {
  return objects(messages).flatMap(([, { content }]) => objects(content).map(([, part]) => part));
}

function callsOf({ role, content }: Json): readonly string[] {
  if (role !== 'assistant') return [];
  return objects(content)
    .filter(([, part]) => part['type'] === 'tool-call' && part['providerExecuted'] !== true)
    .map(([, part]) => shown(part['toolCallId']));
}

import type { OpenAI } from 'openai';
import { itemRules } from './itemRules';
import { isJson, list, objects, shown, strangers, type Json } from './json';
import { outputRules } from './outputRules';
import { problemsBy, type RequestProblem, type RequestRule } from './RequestRule';
import { requestRules } from './requestRules';
import { strictRules } from './strictRules';
import { toolRules } from './toolRules';

type Field = keyof OpenAI.Responses.ResponseCreateParamsNonStreaming;

// A record, so that the compiler compares it with the fields that the official client knows.
const FIELDS: Readonly<Record<Field, true>> = {
  background: true,
  context_management: true,
  conversation: true,
  include: true,
  input: true,
  instructions: true,
  max_output_tokens: true,
  metadata: true,
  model: true,
  moderation: true,
  parallel_tool_calls: true,
  previous_response_id: true,
  prompt: true,
  prompt_cache_key: true,
  prompt_cache_options: true,
  prompt_cache_retention: true,
  reasoning: true,
  safety_identifier: true,
  service_tier: true,
  store: true,
  stream: true,
  stream_options: true,
  temperature: true,
  text: true,
  tool_choice: true,
  tools: true,
  top_logprobs: true,
  top_p: true,
  truncation: true,
  user: true,
};

const INCLUDED = ['reasoning.encrypted_content', 'message.output_text.logprobs', 'web_search_call.action.sources'];
const TOOL_KEYS = ['type', 'name', 'description', 'parameters', 'strict', 'defer_loading'];

const bodyRules: readonly RequestRule[] = [
  {
    id: 'known-keys',
    what: 'A request has no other fields than those of the reference.',
    check: (body) => strangers(body, Object.keys(FIELDS)).map((key) => `Unknown parameter: '${key}'.`),
  },
  {
    id: 'input',
    what: 'Something is said: text, or a list of items that is not empty.',
    check: ({ input }) =>
      (typeof input === 'string' && input !== '') || list(input).length > 0
        ? []
        : ["One of 'input', 'previous_response_id', 'prompt' or 'conversation' must be provided."],
  },
  {
    id: 'include',
    what: 'Only what is known can be included.',
    check: ({ include }) =>
      include === undefined || (Array.isArray(include) && list(include).every((one) => INCLUDED.includes(shown(one))))
        ? []
        : [`Invalid value: '${shown(include)}' - 'include'.`],
  },
  {
    id: 'store',
    what: 'store is a boolean.',
    check: ({ store }) => (store === undefined || typeof store === 'boolean' ? [] : ["Invalid type for 'store'."]),
  },
  {
    id: 'text',
    what: 'text has a format and a verbosity.',
    check: ({ text }) => {
      if (text === undefined) return [];
      if (!isJson(text)) return ["Invalid type for 'text': expected an object."];
      return strangers(text, ['format', 'verbosity']).map((key) => `Unknown parameter: 'text.${key}'.`);
    },
  },
  {
    id: 'tool-flat',
    what: 'A function says its name, parameters and strict mode itself.',
    check: ({ tools }) =>
      list(tools).flatMap((tool, index) => {
        const place = `tools[${String(index)}]`;
        if (!isJson(tool)) return [`Invalid type for '${place}': expected an object.`];
        if (tool['type'] === 'tool_search') return [];
        if (tool['type'] !== 'function') return [`Invalid value: '${shown(tool['type'])}' - '${place}.type'.`];
        const missing = ['name', 'parameters', 'strict'].filter((key) => !(key in tool));
        return [
          ...missing.map((key) => `Missing required parameter: '${place}.${key}'.`),
          ...strangers(tool, TOOL_KEYS).map((key) => `Unknown parameter: '${place}.${key}'.`),
        ];
      }),
  },
  {
    id: 'tool-deferred',
    what: 'A tool that is deferred can be searched for, and there is something to search.',
    check: ({ tools }) => {
      const isDeferred = objects(tools).some(([, tool]) => tool['defer_loading'] === true);
      const isSearched = objects(tools).some(
        ([, tool]) => tool['type'] === 'tool_search' && tool['execution'] !== 'client',
      );
      if (isDeferred && !isSearched) return ["Tools with 'defer_loading' need the tool 'tool_search'."];
      return isSearched && !isDeferred ? ["'tool_search' needs tools with 'defer_loading'."] : [];
    },
  },
  {
    id: 'tool-choice',
    what: 'tool_choice is a known word or names an offered tool, and stands beside tools only.',
    check: ({ tools, tool_choice: choice }) => {
      if (choice === undefined) return [];
      if (list(tools).length === 0) return ["Tool choice '...' must be specified with 'tools' parameter."];
      if (typeof choice === 'string')
        return ['none', 'auto', 'required'].includes(choice) ? [] : [`Invalid value: '${choice}' - 'tool_choice'`];
      const name = isJson(choice) ? choice['name'] : undefined;
      const isOffered = objects(tools).some(([, tool]) => tool['name'] === name);
      return isOffered ? [] : [`Tool choice '${shown(name)}' not found in 'tools' parameter.`];
    },
  },
  {
    id: 'max-output-tokens',
    what: 'An answer may have 16 tokens at least.',
    check: ({ max_output_tokens: most }) =>
      most === undefined || most === null || Number(most) >= 16
        ? []
        : ["Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16."],
  },
];

/** The rules that hold for Chat Completions as well: they look at the same request in the other form. */
const SHARED = new Set(['model', 'parallel-tool-calls', 'range', 'stream-options']);
const sharedRules: readonly RequestRule[] = [
  ...requestRules.filter(({ id }) => SHARED.has(id)),
  ...toolRules.filter(({ id }) => id !== 'tool-shape'),
  ...outputRules,
  ...strictRules,
].map((rule) => ({ ...rule, check: (body) => rule.check(asChat(body)) }));

/** The request as Chat Completions would say it, as far as the shared rules look. */
function asChat(body: Json): Json {
  const { tools, text, ...rest } = body;
  const format = isJson(text) ? text['format'] : undefined;
  const functions = objects(tools).flatMap(([, tool]) => {
    const { type, defer_loading: _deferred, ...offer } = tool;
    // A search in place of a function counts as one.
    if (type === 'tool_search' && tool['execution'] === 'client') return [tool];
    return type === 'function' ? [{ type, function: offer }] : [];
  });
  return {
    ...rest,
    ...(tools === undefined ? {} : { tools: functions }),
    ...(isJson(format) ? { response_format: formatOf(format) } : {}),
  };
}

function formatOf({ type, ...form }: Json): Json {
  return type === 'json_schema' ? { type, json_schema: form } : { type };
}

/** Everything for which the provider refuses a Responses request, as far as it matters to an adapter. */
export const responseRules: readonly RequestRule[] = [...bodyRules, ...itemRules, ...sharedRules];

/** The provider's reasons to refuse the request; empty for a valid one. */
export function responseProblems(body: unknown): readonly RequestProblem[] {
  return problemsBy(responseRules, body);
}

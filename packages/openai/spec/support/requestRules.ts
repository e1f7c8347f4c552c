import type { OpenAI } from 'openai';
import { isJson, list, shown, strangers } from './json';
import { messageRules } from './messageRules';
import { outputRules } from './outputRules';
import { problemsBy, type RequestProblem, type RequestRule } from './RequestRule';
import { strictRules } from './strictRules';
import { toolRules } from './toolRules';

type Field = keyof OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;

// A record, so that the compiler compares it with the fields that the official client knows.
const FIELDS: Readonly<Record<Field, true>> = {
  model: true,
  messages: true,
  audio: true,
  frequency_penalty: true,
  function_call: true,
  functions: true,
  logit_bias: true,
  logprobs: true,
  max_completion_tokens: true,
  max_tokens: true,
  metadata: true,
  modalities: true,
  moderation: true,
  n: true,
  parallel_tool_calls: true,
  prediction: true,
  presence_penalty: true,
  prompt_cache_key: true,
  prompt_cache_options: true,
  prompt_cache_retention: true,
  reasoning_effort: true,
  response_format: true,
  safety_identifier: true,
  seed: true,
  service_tier: true,
  stop: true,
  store: true,
  stream: true,
  stream_options: true,
  temperature: true,
  tool_choice: true,
  tools: true,
  top_logprobs: true,
  top_p: true,
  user: true,
  verbosity: true,
  web_search_options: true,
};

const RANGES: readonly (readonly [string, number, number])[] = [
  ['temperature', 0, 2],
  ['top_p', 0, 1],
  ['frequency_penalty', -2, 2],
  ['presence_penalty', -2, 2],
  ['n', 1, 128],
  ['max_completion_tokens', 1, Infinity],
  ['max_tokens', 1, Infinity],
  ['top_logprobs', 0, 20],
];

const bodyRules: readonly RequestRule[] = [
  {
    id: 'model',
    what: 'The model is named.',
    check: ({ model }) => (typeof model === 'string' && model !== '' ? [] : ['you must provide a model parameter']),
  },
  {
    id: 'known-keys',
    what: 'A request has no other fields than those of the reference.',
    check: (body) =>
      strangers(body, Object.keys(FIELDS)).map((key) => `Unrecognized request argument supplied: ${key}`),
  },
  {
    id: 'messages',
    what: 'There is at least one message.',
    check: ({ messages }) => (list(messages).length > 0 ? [] : ["[] is too short - 'messages'"]),
  },
  {
    id: 'tool-choice',
    what: 'tool_choice is a known word or names an offered tool, and stands beside tools only.',
    check: ({ tools, tool_choice: choice }) => {
      if (choice === undefined) return [];
      if (list(tools).length === 0) return ["'tool_choice' is only allowed when 'tools' are specified."];
      if (typeof choice === 'string')
        return ['none', 'auto', 'required'].includes(choice) ? [] : [`Invalid value: '${choice}' - 'tool_choice'`];
      const name = isJson(choice) && isJson(choice['function']) ? choice['function']['name'] : undefined;
      const offered = list(tools).some(
        (tool) => isJson(tool) && isJson(tool['function']) && tool['function']['name'] === name,
      );
      return isJson(choice) && choice['type'] === 'function' && offered
        ? []
        : [`Tool choice '${String(name)}' not found in 'tools' parameter.`];
    },
  },
  {
    id: 'parallel-tool-calls',
    what: 'parallel_tool_calls is a boolean, and stands beside tools only.',
    check: ({ tools, parallel_tool_calls: parallel }) => {
      if (parallel === undefined) return [];
      if (typeof parallel !== 'boolean') return ["Invalid type for 'parallel_tool_calls'"];
      return list(tools).length > 0 ? [] : ["'parallel_tool_calls' is only allowed when 'tools' are specified."];
    },
  },
  {
    id: 'range',
    what: 'Figures are numbers in their ranges.',
    check: (body) =>
      RANGES.flatMap(([key, least, most]) => {
        const value = body[key];
        if (value === undefined || value === null) return [];
        return typeof value === 'number' && value >= least && value <= most
          ? []
          : [`Invalid '${key}': ${shown(value)}`];
      }),
  },
  {
    id: 'stop',
    what: 'At most four texts stop an answer.',
    check: ({ stop }) =>
      stop === undefined ||
      stop === null ||
      typeof stop === 'string' ||
      (list(stop).length > 0 && list(stop).length <= 4)
        ? []
        : ["Invalid 'stop': array too long. Expected an array with maximum length 4."],
  },
  {
    id: 'stream-options',
    what: 'stream_options stands beside stream: true only.',
    check: ({ stream, stream_options: options }) =>
      options === undefined || stream === true ? [] : ["'stream_options' is only allowed when 'stream' is enabled."],
  },
];

/** Everything for which the provider refuses a Chat Completions request, as far as it matters to an adapter. */
export const requestRules: readonly RequestRule[] = [
  ...bodyRules,
  ...messageRules,
  ...toolRules,
  ...outputRules,
  ...strictRules,
];

/** The provider's reasons to refuse the request; empty for a valid one. */
export function requestProblems(body: unknown): readonly RequestProblem[] {
  return problemsBy(requestRules, body);
}

import type { Anthropic } from '@anthropic-ai/sdk';
import { isJson, list, objects, shown, strangers, type Json } from '../../../openai/spec/support/json';
import { problemsBy, type RequestProblem, type RequestRule } from '../../../openai/spec/support/RequestRule';
import { allBlocks, messageRules } from './messageRules';
import { placementRules } from './placementRules';
import { strictRules, toolRules, wantedForm } from './toolRules';

type Field = keyof Anthropic.Messages.MessageCreateParamsNonStreaming | 'betas' | 'temperature';

// A record, so that the compiler compares it with the fields that the official client knows.
const FIELDS: Readonly<Record<Field, true>> = {
  // A header in truth: doubles add it to the body that the rules look at.
  betas: true,
  // Older models take it; the client declares it no longer.
  temperature: true,
  model: true,
  max_tokens: true,
  messages: true,
  cache_control: true,
  container: true,
  diagnostics: true,
  inference_geo: true,
  metadata: true,
  output_config: true,
  service_tier: true,
  speed: true,
  stop_sequences: true,
  stream: true,
  system: true,
  thinking: true,
  tool_choice: true,
  tools: true,
  user_profile_id: true,
  workspace_id: true,
};
const MOST_MARKS = 4;

const bodyRules: readonly RequestRule[] = [
  {
    id: 'required',
    what: 'A request names its model and how long the answer may be, and says something.',
    check: ({ model, max_tokens: most, messages }) => [
      ...(typeof model === 'string' && model !== '' ? [] : ['model: Field required']),
      ...(Number.isInteger(most) && Number(most) >= 1 ? [] : ['max_tokens: Input should be a positive integer']),
      ...(list(messages).length > 0 ? [] : ['messages: at least one message is required']),
    ],
  },
  {
    id: 'known-keys',
    what: 'A request has no unknown fields.',
    check: (body) => strangers(body, Object.keys(FIELDS)).map((key) => `${key}: Extra inputs are not permitted`),
  },
  {
    id: 'system',
    what: 'The system prompt is text, or a list of texts that are not blank.',
    check: ({ system }) => {
      if (system === undefined || typeof system === 'string') return [];
      const isTexts = list(system).every(
        (block) => isJson(block) && block['type'] === 'text' && typeof block['text'] === 'string',
      );
      if (!Array.isArray(system) || !isTexts) return ['system: Input should be a valid string or list of text blocks'];
      return objects(system).flatMap(([, { text }]) =>
        shown(text).trim() === '' ? ['system: text content blocks must be non-empty'] : [],
      );
    },
  },
  {
    id: 'output-format',
    what: 'The form of the answer is a schema of an object.',
    check: (body) => {
      const form = wantedForm(body);
      if (form === undefined) return [];
      const { type, schema } = form;
      const strange = strangers(form, ['type', 'schema']);
      if (type !== 'json_schema' || strange.length > 0) return ['output_config.format: Input tag is unknown'];
      return isJson(schema) && schema['type'] === 'object' ? [] : ['output_config.format.schema: must be an object'];
    },
  },
  {
    id: 'cache-marks',
    what: `At most ${String(MOST_MARKS)} marks for the cache, each in the known form, and none on thinking.`,
    check: (body) => {
      const marked = marks(body);
      return [
        ...(marked.length > MOST_MARKS
          ? [
              `A maximum of ${String(MOST_MARKS)} blocks with cache_control may be provided. Found ${String(marked.length)}.`,
            ]
          : []),
        ...(marked.every(isMark) ? [] : ['cache_control: Input should be ephemeral, for 5m or 1h']),
      ];
    },
  },
];

function marks(body: Json): readonly unknown[] {
  const blocks = [
    ...objects(body['tools']).map(([, tool]) => tool),
    ...objects(body['system']).map(([, block]) => block),
    ...allBlocks(body).map(({ block }) => block),
  ];
  return blocks.flatMap(({ cache_control: mark }) => (mark === undefined || mark === null ? [] : [mark]));
}

function isMark(mark: unknown): boolean {
  return isJson(mark) && mark['type'] === 'ephemeral' && ['5m', '1h', undefined].includes(mark['ttl'] as string);
}

/** Everything for which the provider refuses a Messages request, as far as it matters to an adapter. */
export const requestRules: readonly RequestRule[] = [
  ...bodyRules,
  ...messageRules,
  ...placementRules,
  ...toolRules,
  ...strictRules,
];

/** The provider's reasons to refuse the request; empty for a valid one. */
export function requestProblems(body: unknown): readonly RequestProblem[] {
  return problemsBy(requestRules, body);
}

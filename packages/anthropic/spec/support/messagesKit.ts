import Anthropic from '@anthropic-ai/sdk';
import { AnthropicAdapter, type AnthropicOptions } from '@toolwright/anthropic';
import type { AdapterKit, ProviderToolUse, ProviderTurn } from '@toolwright/contracts';
import { afterLastAnswer, kitOf, playedIn, type PlayedWords } from '../../../openai/spec/support/kitOf';
import type { ProviderDoor } from '../../../openai/spec/support/ProviderDoor';
import { drop, ProviderDouble, raw, streamed } from '../../../openai/spec/support/ProviderDouble';
import { eventsOf, KEY, message } from './client';
import { blocksOf } from './messageRules';
import { messagesWire } from './wire';

type AnswerTurn = Extract<ProviderTurn, { kind: 'answer' }>;

/** The Anthropic adapter with its true client, before a double on loopback that plays the script. */
export async function openMessagesKit(
  script: readonly ProviderTurn[],
  options: Partial<AnthropicOptions> = {},
): Promise<AdapterKit> {
  const double = await ProviderDouble.speaking(messagesWire, ...script.map((turn) => playedIn(wording, turn)));
  return kitOf(double, messagesDoor(options).adapter(double.baseURL), ({ body }) => ({
    answers: messagesDoor().outputs(body),
    wantsForm: 'output_config' in body || JSON.stringify(body['system']).includes('JSON Schema'),
  }));
}

export const messagesDoor = (options: Partial<AnthropicOptions> = {}): ProviderDoor => ({
  wire: messagesWire,
  adapter: (baseURL) => {
    const client = new Anthropic({ apiKey: KEY, baseURL, maxRetries: 0, logLevel: 'off' });
    return new AnthropicAdapter({ client, model: 'claude-sonnet-5', ...options });
  },
  whole: (turn) => message(contentOf(turn), restOf(turn)),
  events: (turn) => eventsOf(contentOf(turn), restOf(turn)),
  outputs: ({ messages }) =>
    afterLastAnswer(messages)
      .flatMap(blocksOf)
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => String(content)),
});

const wording: PlayedWords = {
  error: (message) => messagesWire.error(message, 'some_error', null),
  cut:
    (turn) =>
    ({ stream }) =>
      stream === true ? streamed(eventsOf([textBlock(turn.text), writeCall(turn.call)]).slice(0, -3), 'drop') : drop,
  answer:
    (turn) =>
    ({ stream }) =>
      stream === true
        ? streamed(eventsOf(contentOf(turn), restOf(turn)))
        : raw(200, JSON.stringify(message(contentOf(turn), restOf(turn)))),
};

function contentOf({ text, calls = [] }: AnswerTurn): readonly object[] {
  return [...(text === undefined ? [] : [textBlock(text)]), ...calls.map(writeCall)];
}

function textBlock(text: string): object {
  return { type: 'text', text };
}

function writeCall({ id, name, arguments: args }: ProviderToolUse): object {
  return { type: 'tool_use', ...(id === undefined ? {} : { id }), name, input: inputOf(args) };
}

/** Malformed input cannot be said but as text. */
function inputOf(args: string): unknown {
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

function restOf({ calls, stop, usage }: AnswerTurn): object {
  const reason = { end: calls === undefined ? 'end_turn' : 'tool_use', length: 'max_tokens', refusal: 'refusal' };
  return { stop_reason: reason[stop ?? 'end'], usage: usage === undefined ? {} : writeUsage(usage) };
}

function writeUsage({ input, output, cached }: NonNullable<AnswerTurn['usage']>): object {
  return { input_tokens: input - cached, cache_read_input_tokens: cached, output_tokens: output };
}

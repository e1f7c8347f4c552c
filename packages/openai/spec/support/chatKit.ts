import OpenAI from 'openai';
import type { AdapterKit, ProviderToolUse, ProviderTurn } from '@toolwright/contracts';
import { OpenAIChatAdapter } from '@toolwright/openai';
import { callChunk, chunk, KEY } from './client';
import { drop, ProviderDouble, raw, streamed } from './ProviderDouble';
import { afterLastAnswer, kitOf, playedIn, type PlayedWords } from './kitOf';
import type { ProviderDoor } from './ProviderDoor';
import { chatWire } from './Wire';

type AnswerTurn = Extract<ProviderTurn, { kind: 'answer' }>;

/** The OpenAI chat adapter with its true client, before a double on loopback that plays the script. */
export async function openChatKit(script: readonly ProviderTurn[]): Promise<AdapterKit> {
  const double = await ProviderDouble.start(...script.map((turn) => playedIn(wording, turn)));
  return kitOf(double, chatDoor.adapter(double.baseURL), ({ body }) => ({
    answers: chatDoor.outputs(body),
    wantsForm: 'response_format' in body,
  }));
}

export const chatDoor: ProviderDoor = {
  wire: chatWire,
  adapter: (baseURL) => {
    const client = new OpenAI({ apiKey: KEY, baseURL, maxRetries: 0, logLevel: 'off' });
    return new OpenAIChatAdapter({ client, model: 'gpt-5-mini' });
  },
  whole: completion,
  events: chunksOf,
  outputs: ({ messages }) =>
    afterLastAnswer(messages)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => String(content)),
};

const wording: PlayedWords = {
  error: (message) => ({ error: { message: message } }),
  cut:
    (turn) =>
    ({ stream }) =>
      stream === true ? streamed([chunk({ content: turn.text }), callChunk(writeCall(turn.call, 0))], 'drop') : drop,
  answer:
    (turn) =>
    ({ stream }) =>
      stream === true ? streamed(chunksOf(turn)) : raw(200, JSON.stringify(completion(turn))),
};

function completion(turn: AnswerTurn): unknown {
  const { calls } = turn;
  const message = {
    role: 'assistant',
    ...words(turn),
    ...(calls === undefined ? {} : { tool_calls: calls.map(writeCall) }),
  };
  return { choices: [{ index: 0, message, finish_reason: finishOf(turn) }], ...usageOf(turn) };
}

function chunksOf(turn: AnswerTurn): readonly unknown[] {
  const { calls = [] } = turn;
  return [
    ...Array.from(turn.text ?? '', (letter) => chunk(words({ ...turn, text: letter }))),
    ...calls.flatMap((call, index) => [
      callChunk(writeCall({ ...call, arguments: call.arguments.slice(0, 5) }, index)),
      callChunk({ index, function: { arguments: call.arguments.slice(5) } }),
    ]),
    chunk({}, finishOf(turn)),
    ...(turn.usage === undefined ? [] : [{ object: 'chat.completion.chunk', choices: [], ...usageOf(turn) }]),
  ];
}

function words({ text, stop }: AnswerTurn): object {
  return stop === 'refusal' ? { content: null, refusal: text } : { content: text ?? null };
}

function writeCall({ id, name, arguments: args }: ProviderToolUse, index: number): object {
  return { index, ...(id === undefined ? {} : { id }), type: 'function', function: { name, arguments: args } };
}

function finishOf({ calls, stop }: AnswerTurn): string {
  if (stop === 'length') return 'length';
  return calls === undefined ? 'stop' : 'tool_calls';
}

function usageOf({ usage }: AnswerTurn): object {
  if (usage === undefined) return {};
  const { input, output, cached } = usage;
  const prompt_tokens_details = { cached_tokens: cached };
  return {
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, prompt_tokens_details },
  };
}

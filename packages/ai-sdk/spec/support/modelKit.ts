import { AiSdkAdapter, type AiSdkOptions } from '@toolwright/ai-sdk';
import type { AdapterKit, OpenAdapterKit, ProviderToolUse, ProviderTurn } from '@toolwright/contracts';
import { isJson, objects } from '../../../openai/spec/support/json';
import { afterLastAnswer, kitOf, playedIn, type PlayedWords } from '../../../openai/spec/support/kitOf';
import type { ProviderDoor } from '../../../openai/spec/support/ProviderDoor';
import { drop, ProviderDouble, raw, streamed } from '../../../openai/spec/support/ProviderDouble';
import type { Wire } from '../../../openai/spec/support/Wire';
import { HttpModel } from './HttpModel';
import { promptProblems } from './promptRules';

type AnswerTurn = Extract<ProviderTurn, { kind: 'answer' }>;

/** The specification itself over HTTP: a request as `doGenerate` receives it, an answer as `doGenerate` returns it. */
export const modelWire: Wire = {
  path: '/v1/generate',
  base: '/v1',
  isAuthorised: ({ authorization }) => authorization?.startsWith('Bearer ') === true,
  problems: promptProblems,
  error: (message, type, code) => ({ error: { message, type, code } }),
  event: (part) => `data: ${typeof part === 'string' ? part : JSON.stringify(part)}\n\n`,
  end: '',
};

/** The AI SDK adapter with a model behind HTTP, before a double on loopback that plays the script. */
export function openModelKit(version: 'v3' | 'v4', options: Partial<AiSdkOptions> = {}): OpenAdapterKit {
  return async (script): Promise<AdapterKit> => {
    const double = await ProviderDouble.speaking(modelWire, ...script.map((turn) => playedIn(wording, turn)));
    const adapter = new AiSdkAdapter({ model: new HttpModel(double.baseURL, version), ...options });
    return kitOf(double, adapter, ({ body }) => ({
      answers: answersIn(body.messages),
      wantsForm: isJson(body['responseFormat']) || JSON.stringify(body.messages[0]).includes('JSON Schema'),
    }));
  };
}

export const modelDoor = (version: 'v3' | 'v4'): ProviderDoor => ({
  wire: modelWire,
  adapter: (baseURL) => new AiSdkAdapter({ model: new HttpModel(baseURL, version) }),
  whole: resultOf,
  events: partsOf,
  outputs: ({ messages }) => answersIn(messages),
});

const answersIn = (messages: Parameters<typeof afterLastAnswer>[0]): readonly string[] =>
  afterLastAnswer(messages)
    .filter(({ role }) => role === 'tool')
    .flatMap(({ content }) =>
      objects(content).map(([, { output }]) => (isJson(output) ? String(output['value']) : '')),
    );

const wording: PlayedWords = {
  error: (message) => modelWire.error(message, 'some_error', null),
  cut:
    (turn) =>
    ({ stream }) => {
      const parts = partsOf({ kind: 'answer', text: turn.text, calls: [turn.call] });
      return stream === true ? streamed(parts.slice(0, -2), 'drop') : drop;
    },
  answer:
    (turn) =>
    ({ stream }) =>
      stream === true ? streamed(partsOf(turn)) : raw(200, JSON.stringify(resultOf(turn))),
};

function resultOf(turn: AnswerTurn): object {
  const { text, calls = [] } = turn;
  return {
    content: [...(text === undefined ? [] : [{ type: 'text', text }]), ...calls.map(writeCall)],
    ...endOf(turn),
  };
}

/** The same answer in parts: letter by letter, and inputs in two pieces before their call. */
function partsOf(turn: AnswerTurn): readonly object[] {
  const { text, calls = [] } = turn;
  const letters = Array.from(text ?? '', (delta) => ({ type: 'text-delta', id: 't', delta }));
  const spoken = text === undefined ? [] : [{ type: 'text-start', id: 't' }, ...letters, { type: 'text-end', id: 't' }];
  return [
    { type: 'stream-start', warnings: [] },
    ...spoken,
    ...calls.flatMap((call, index) => [
      { type: 'tool-input-start', id: String(index), toolName: call.name },
      { type: 'tool-input-delta', id: String(index), delta: call.arguments.slice(0, 5) },
      { type: 'tool-input-delta', id: String(index), delta: call.arguments.slice(5) },
      { type: 'tool-input-end', id: String(index) },
      writeCall(call),
    ]),
    { type: 'finish', ...endOf(turn) },
  ];
}

function writeCall({ id, name, arguments: input }: ProviderToolUse): object {
  return { type: 'tool-call', ...(id === undefined ? {} : { toolCallId: id }), toolName: name, input };
}

function endOf({ calls, stop = 'end', usage }: AnswerTurn): object {
  const ended = calls === undefined ? { unified: 'stop', raw: 'stop' } : { unified: 'tool-calls', raw: 'tool_use' };
  const length = { unified: 'length', raw: 'max_tokens' };
  const finishReason = { end: ended, length, refusal: { unified: 'content-filter', raw: 'refusal' } }[stop];
  const inputTokens = { total: usage?.input, noCache: undefined, cacheRead: usage?.cached, cacheWrite: undefined };
  const outputTokens = { total: usage?.output, text: undefined, reasoning: undefined };
  return { finishReason, usage: { inputTokens, outputTokens } };
}

import type { ModelAdapter } from 'toolwright';
import type { AiSdkOptions } from '@toolwright/ai-sdk';
import type { AnthropicOptions } from '@toolwright/anthropic';
import type { OpenAIResponsesOptions } from '@toolwright/openai';
import { bindingRule, signedParts } from '../../packages/ai-sdk/spec/support/binding';
import { endOfAnswer, partsOfAnswer } from '../../packages/ai-sdk/spec/support/conversation';
import { modelWire } from '../../packages/ai-sdk/spec/support/modelKit';
import { promptProblems } from '../../packages/ai-sdk/spec/support/promptRules';
import { BindingDouble, type BoundTurn } from '../../packages/anthropic/spec/support/BindingDouble';
import { adapterAt, type HousePlace } from './houseAdapters';
import type { Json } from '../../packages/openai/spec/support/json';
import { ProviderDouble, raw, streamed, type Turn } from '../../packages/openai/spec/support/ProviderDouble';
import {
  callItem,
  declaresSearch,
  eventsOf,
  reasoningItem,
  responseOf,
  saidItem,
  searchItem,
} from '../../packages/openai/spec/support/responses';
import { refusingResponsesWire } from '../../packages/openai/spec/support/responsesWire';
import type { Wire } from '../../packages/openai/spec/support/Wire';

/** What a model does when it is asked: it thinks in any case. */
export interface Answer {
  readonly text?: string;
  readonly calls?: readonly {
    readonly name: string;
    readonly arguments: Json;
    /** A new one when left out. */
    readonly id?: string;
  }[];
  /** What it thinks; a text of its own when left out. */
  readonly thought?: string;
  /** Is called when the request arrives. */
  readonly before?: () => void;
  /** True if the provider pauses in the middle of the answer. */
  readonly pauses?: boolean;
  /** True if the limit of the output ends the answer; for Responses alone. */
  readonly isCut?: boolean;
  /** The status with which the provider fails in place of an answer. */
  readonly fails?: number;
}

/** A provider whose thoughts are bound to everything before them, in front of the real adapter with its official client. */
export interface House {
  /** Where another process finds it. */
  readonly place: HousePlace;
  /** @param model another one than its usual one */
  adapter(model?: string): ModelAdapter;
  /** Adds answers of the model. */
  play(...answers: readonly Answer[]): void;
  /** From now on, the model answers each request by what the request says. */
  answerBy(model: (body: Json) => Answer): void;
  bodies(): readonly Json[];
  /** Why requests were refused, and which thoughts were dropped. */
  faults(): readonly string[];
  refusals(): readonly string[];
  drops(): readonly string[];
  stop(): Promise<void>;
}

/** Opens a provider. */
export type OpenHouse = () => Promise<House>;

let serial = 0;
const nextId = (kind: string): string => `${kind}_${String(++serial)}`;

/** The Messages API; a changed beginning is refused, unless `parameters.thinking` asks for dropped thoughts. */
export const openAnthropic =
  (options: Partial<AnthropicOptions> = {}, usual = 'claude-opus-5-5'): OpenHouse =>
  async () => {
    const double = await BindingDouble.start();
    const place: HousePlace = { api: 'anthropic', baseURL: double.baseURL, model: usual, options };
    // Tests cause this failure themselves.
    const refusals = (): readonly string[] => double.refusals.filter((refusal) => refusal !== UNAVAILABLE);
    return {
      ...housed(place, (turn) => double.play(turn), messageTurns),
      bodies: () => double.bodies,
      faults: () => [...refusals(), ...double.drops],
      refusals,
      drops: () => double.drops,
      stop: () => double.stop(),
    };
  };

const UNAVAILABLE = 'The model is not available.';

/** The turns of an answer of the Messages API: two if it pauses. */
function messageTurns({
  text,
  calls = [],
  pauses = false,
  before,
  thought,
  fails,
}: Answer): readonly ((body: Json) => BoundTurn)[] {
  if (fails !== undefined) return [() => ({ status: fails, message: UNAVAILABLE })];
  const id = nextId('srvtoolu');
  const search = { type: 'server_tool_use', id, name: 'web_search', input: { query: 'x' } };
  const content = [
    ...(pauses ? [{ type: 'web_search_tool_result', tool_use_id: id, content: [] }] : []),
    { type: 'thinking', thinking: thought ?? `Thought ${String(++serial)}.` },
    { type: 'redacted_thinking', data: `hidden${String(serial)}` },
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map(({ name, arguments: input, id: own = nextId('toolu') }) => ({
      type: 'tool_use',
      id: own,
      name,
      input,
    })),
  ];
  const paused = { content: [{ type: 'thinking', thinking: 'Search.' }, search], stop_reason: 'pause_turn' };
  return [
    ...(pauses ? [() => paused] : []),
    () => {
      before?.();
      return { content };
    },
  ];
}

/** The Responses API; reasoning whose beginning has changed is refused, unless the wire is one that drops it. */
export const openResponses =
  (
    options: Partial<OpenAIResponsesOptions> = {},
    usual = 'gpt-5.6-terra',
    wire: Wire = refusingResponsesWire,
  ): OpenHouse =>
  async () => {
    const double = await ProviderDouble.speaking(wire);
    const place: HousePlace = { api: 'responses', baseURL: double.baseURL, model: usual, options };
    return { ...housed(place, (turn) => double.play(turn), responseTurns), ...seenBy(double) };
  };

const failingTurn = (status: number): Turn => raw(status, JSON.stringify({ error: { message: UNAVAILABLE } }));

function responseTurns({
  text,
  calls = [],
  before,
  thought,
  fails,
  isCut = false,
}: Answer): readonly ((body: Json) => Turn)[] {
  if (fails !== undefined) return [() => failingTurn(fails)];
  return [
    (body) => {
      before?.();
      const id = nextId('rs');
      const items = [
        reasoningItem(id, thought ?? `gAAAA-${id}`),
        ...(text === undefined ? [] : [saidItem(text, { id: nextId('msg') })]),
        ...calls.map(({ name, arguments: args, id: own = nextId('call') }) =>
          name === 'search_tools' && declaresSearch(body)
            ? searchItem(own, args, { id: nextId('tsc') })
            : callItem(own, name, JSON.stringify(args), { id: nextId('fc') }),
        ),
      ];
      const end = isCut ? { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } } : {};
      const isStreamed = body['stream'] === true;
      return isStreamed ? streamed(eventsOf(items, end)) : raw(200, JSON.stringify(responseOf(items, end)));
    },
  ];
}

/** The AI SDK, for models that drop thoughts whose beginning has changed. */
export const droppingModelWire: Wire = {
  ...modelWire,
  problems: (body) => promptProblems(body).filter(({ rule }) => rule !== bindingRule.id),
  removed: (body) => bindingRule.check(body),
};

/** Models of the AI SDK; thoughts whose beginning has changed are refused, unless the wire is one that drops them. */
export const openAiSdk =
  (provider: string, usual: string, options: Partial<AiSdkOptions> = {}, wire: Wire = modelWire): OpenHouse =>
  async () => {
    const double = await ProviderDouble.speaking(wire);
    const place: HousePlace = { api: 'ai-sdk', provider, baseURL: double.baseURL, model: usual, options };
    return { ...housed(place, (turn) => double.play(turn), modelTurns), ...seenBy(double) };
  };

/** The turns of an answer of a model of the AI SDK: two if it pauses. */
function modelTurns({
  text,
  calls = [],
  pauses = false,
  before,
  thought,
  fails,
}: Answer): readonly ((body: Json) => Turn)[] {
  if (fails !== undefined) return [() => failingTurn(fails)];
  const id = nextId('srvtoolu');
  const search = { type: 'tool-call', toolCallId: id, toolName: 'web_search', input: '{}', providerExecuted: true };
  const pieces = [
    ...(pauses ? [{ parts: [{ type: 'reasoning', text: 'Search.' }, search], isPaused: true }] : []),
    {
      parts: [
        ...(pauses ? [{ type: 'tool-result', toolCallId: id, toolName: 'web_search', result: [] }] : []),
        { type: 'reasoning', text: thought ?? `Thought ${String(++serial)}.` },
        ...(text === undefined ? [] : [{ type: 'text', text }]),
        ...calls.map(({ name, arguments: args, id: own = nextId('call') }) => ({
          type: 'tool-call',
          toolCallId: own,
          toolName: name,
          input: JSON.stringify(args),
        })),
      ],
      isPaused: false,
    },
  ];
  return pieces.map(({ parts, isPaused }) => (body: Json) => {
    before?.();
    const content = signedParts(parts, body);
    return body['stream'] === true
      ? streamed(partsOfAnswer(content, isPaused))
      : raw(200, JSON.stringify({ content, ...endOfAnswer(content, isPaused) }));
  });
}

/** How a double is scripted: by answers in their order, or by each request. */
function housed<Turn>(
  place: HousePlace,
  play: (turn: (body: Json) => Turn) => void,
  turnsOf: (answer: Answer) => readonly ((body: Json) => Turn)[],
): Pick<House, 'place' | 'adapter' | 'play' | 'answerBy'> {
  const answerBy = (model: (body: Json) => Answer): void =>
    play((body: Json) => {
      answerBy(model);
      const [turn, ...further] = turnsOf(model(body));
      if (turn === undefined || further.length > 0) throw new TypeError('An answer by a request has one turn.');
      return turn(body);
    });
  return {
    place,
    adapter: (model) => adapterAt(place, model),
    play: (...answers) => answers.flatMap(turnsOf).forEach((turn) => play(turn)),
    answerBy,
  };
}

function seenBy(double: ProviderDouble): Pick<House, 'bodies' | 'faults' | 'refusals' | 'drops' | 'stop'> {
  const refusals = (): readonly string[] =>
    double.requests.flatMap(({ problems }) => problems.map(({ rule, message }) => `${rule}: ${message}`));
  const drops = (): readonly string[] => double.requests.flatMap(({ removed }) => removed);
  return {
    bodies: () => double.requests.map(({ body }) => body),
    faults: () => [...refusals(), ...drops()],
    refusals,
    drops,
    stop: () => double.stop(),
  };
}

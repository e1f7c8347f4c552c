import type { Message, ModelRequest, ModelResponse, ToolCall } from 'toolwright';
import type { ModelPart, ToolSchema } from 'toolwright/adapters';
import { AiSdkAdapter, type AiSdkOptions } from '@toolwright/ai-sdk';
import type { Json } from '../../../openai/spec/support/json';
import { ProviderDouble, raw, streamed } from '../../../openai/spec/support/ProviderDouble';
import { signatureAfter } from './binding';
import { HttpModel } from './HttpModel';
import { modelWire } from './modelKit';

type SentRequest = Parameters<NonNullable<ModelRequest['onSent']>>[0];

/** A model, as its adapter sees it. */
export interface Place {
  readonly version: 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
}

/** What happens in a conversation, one after the other; `ask` asks the model, whose answer has these parts. */
export type Happening =
  | { readonly ask: readonly object[]; readonly streams?: boolean }
  | { readonly add: Message }
  /** The results of the calls of the last answer; the first one opens tools. */
  | { readonly answer: string; readonly opens?: readonly string[] };

/** The tools of a conversation: those that are offered from the beginning, and those that are closed. */
export interface Desk {
  readonly offered: readonly ToolSchema[];
  readonly closed: readonly ToolSchema[];
}

/** A conversation with a double, as the loop has it: the same messages and tools in each request, and more behind them. */
export class Talk {
  readonly messages: Message[] = [{ role: 'system', content: 'Be kind.' }];
  readonly sent: SentRequest[] = [];
  readonly responses: ModelResponse[] = [];
  readonly parts: ModelPart[] = [];
  readonly adapter: AiSdkAdapter;
  readonly #double: ProviderDouble;
  readonly #desk: Desk;
  #means: ModelRequest['means'];

  private constructor(double: ProviderDouble, desk: Desk, adapter: AiSdkAdapter) {
    this.#double = double;
    this.#desk = desk;
    this.adapter = adapter;
  }

  /** Has a whole conversation, and ends the double. */
  static async of(
    place: Place,
    desk: Desk,
    happenings: readonly Happening[],
    options: Partial<AiSdkOptions> = {},
  ): Promise<Talk> {
    const answers = happenings.flatMap((each) => ('ask' in each ? [each] : []));
    const script = answers.map(({ ask }) => (body: Json) => {
      const content = ask.map((part) => bound(part, body));
      return body['stream'] === true
        ? streamed(partsOfAnswer(content))
        : raw(200, JSON.stringify({ content, ...endOfAnswer(content) }));
    });
    const double = await ProviderDouble.speaking(modelWire, ...script);
    try {
      const model = new HttpModel(double.baseURL, place.version, place.provider, place.modelId);
      const talk = new Talk(double, desk, new AiSdkAdapter({ model, ...options }));
      talk.#means = JSON.parse(JSON.stringify(talk.adapter.means(talk.#tools))) as ModelRequest['means'];
      for (const happening of happenings) await talk.#happen(happening);
      return talk;
    } finally {
      await double.stop();
    }
  }

  get means(): ModelRequest['means'] {
    return this.#means;
  }

  /** The requests as they arrived. */
  get bodies(): readonly Json[] {
    return this.#double.requests.map(({ body }) => body);
  }

  get problems(): readonly string[] {
    return this.#double.requests.flatMap(({ problems }) => problems.map(({ rule, message }) => `${rule}: ${message}`));
  }

  get #tools(): Required<Pick<ModelRequest, 'offeredTools' | 'closedTools'>> {
    return { offeredTools: () => this.#desk.offered, closedTools: () => this.#desk.closed };
  }

  /** The tools that are enabled now: they change, and what is sent does not follow them. */
  get #enabled(): readonly ToolSchema[] {
    const added = this.messages.flatMap((message) => ('tools' in message ? (message.tools?.added ?? []) : []));
    return [...this.#desk.offered, ...this.#desk.closed.filter(({ name }) => added.includes(name))];
  }

  async #happen(happening: Happening): Promise<void> {
    if ('add' in happening) this.messages.push(happening.add);
    else if ('answer' in happening) this.#answer(happening.answer, happening.opens ?? []);
    else await this.#ask(happening.streams === true);
  }

  async #ask(streams: boolean): Promise<void> {
    const request: ModelRequest = {
      messages: [...this.messages],
      toolSchemas: () => this.#enabled,
      ...this.#tools,
      means: this.#means,
      onSent: (sent) => this.sent.push(sent),
      signal: new AbortController().signal,
    };
    const response = streams ? await this.#stream(request) : await this.adapter.complete(request);
    this.responses.push(response);
    const { text, toolCalls, native } = response;
    this.messages.push({
      role: 'assistant',
      content: text,
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
      ...(native === undefined ? {} : { native }),
    });
  }

  async #stream(request: ModelRequest): Promise<ModelResponse> {
    for await (const part of this.adapter.stream(request)) {
      this.parts.push(part);
      if (part.kind === 'response') return part.response;
    }
    throw new TypeError('no response came');
  }

  #answer(content: string, opens: readonly string[]): void {
    const calls: readonly ToolCall[] = this.responses.at(-1)?.toolCalls ?? [];
    calls.forEach(({ id, name }, index) => {
      const tools = index === 0 && opens.length > 0 ? { tools: { added: opens, removed: [] } } : {};
      this.messages.push({ role: 'tool', toolCallId: id, name, content, failed: false, ...tools });
    });
  }
}

/** A thought of the script is signed over the request that it answers. */
function bound(part: object, body: Json): object {
  if (!('bound' in part)) return part;
  const { bound: _bound, ...rest } = part;
  return { ...rest, providerMetadata: { anthropic: { signature: signatureAfter(body) } } };
}

/** The end of an answer; one that is paused has the reason of a good end, and says so in the provider's own word. */
export function endOfAnswer(content: readonly object[], isPaused = false): object {
  const calls = content.some((part) => {
    const { type, providerExecuted } = part as { type?: unknown; providerExecuted?: unknown };
    return type === 'tool-call' && providerExecuted !== true;
  });
  const stop = { unified: 'stop', raw: isPaused ? 'pause_turn' : 'end_turn' };
  const finishReason = calls ? { unified: 'tool-calls', raw: 'tool_use' } : stop;
  const inputTokens = { total: 30, noCache: 3, cacheRead: 20, cacheWrite: 7 };
  return { finishReason, usage: { inputTokens, outputTokens: { total: 4, text: 4, reasoning: 0 } } };
}

/** The same answer in parts. */
export function partsOfAnswer(content: readonly object[], isPaused = false): readonly object[] {
  const parts = content.flatMap((part, index) => {
    const { type, text, ...rest } = part as { type: string; text?: string };
    if (type !== 'text' && type !== 'reasoning') return [part];
    const id = String(index);
    return [
      { type: `${type}-start`, id },
      ...Array.from(text ?? '', (delta) => ({ type: `${type}-delta`, id, delta })),
      { type: `${type}-end`, id, ...rest },
    ];
  });
  return [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', ...endOfAnswer(content, isPaused) }];
}

import { isDeepStrictEqual } from 'node:util';
import type { Message, ModelRequest, ModelResponse } from 'toolwright';
import type { ModelPart } from 'toolwright/adapters';
import type { AnthropicAdapter } from '@toolwright/anthropic';
import { toolNamed } from '../../../openai/spec/support/client';
import type { Json } from '../../../openai/spec/support/json';
import { blocksSaid, unmarked } from './binding';

type Sent = Parameters<NonNullable<ModelRequest['onSent']>>[0];

/** The tools that a conversation began with. */
export interface Began {
  readonly offered: readonly string[];
  readonly closed: readonly string[];
}

/** A conversation as the core holds it: the same messages in every request, only appended to. */
export class Talk {
  readonly messages: Message[] = [{ role: 'system', content: 'You keep the house.' }];
  readonly sent: Sent[] = [];
  readonly parts: ModelPart[] = [];
  /** Further fields of each request. */
  extra: Partial<ModelRequest> = {};
  readonly #began: Began;
  #adapter: AnthropicAdapter;
  readonly #means: ModelRequest['means'];

  constructor(adapter: AnthropicAdapter, began: Began) {
    this.#adapter = adapter;
    this.#began = began;
    this.#means = adapter.means(this.#tools());
  }

  /** Goes on with the record, in another process. */
  moveTo(adapter: AnthropicAdapter): void {
    this.#adapter = adapter;
    this.messages.splice(0, this.messages.length, ...(JSON.parse(JSON.stringify(this.messages)) as Message[]));
  }

  user(content: string, rest: object = {}): this {
    this.messages.push({ role: 'user', content, ...rest });
    return this;
  }

  /** Answers every open call, the first one with these changes of tools. */
  results(...changes: readonly object[]): this {
    const last = this.messages.at(-1);
    const calls = last?.role === 'assistant' ? (last.toolCalls ?? []) : [];
    calls.forEach(({ id, name }, at) => {
      const tools = changes[at];
      this.messages.push({
        role: 'tool',
        toolCallId: id,
        name,
        content: `Result ${String(at)}.`,
        failed: false,
        ...(tools === undefined ? {} : { tools: { added: [], removed: [], ...tools } }),
      });
    });
    return this;
  }

  /** Asks the model, and keeps its answer. */
  async ask(streams = false): Promise<ModelResponse> {
    const { toolSchemas } = { toolSchemas: () => this.#began.offered.map(toolNamed) };
    const request: ModelRequest = {
      messages: [...this.messages],
      toolSchemas,
      ...this.#tools(),
      means: this.#means,
      signal: new AbortController().signal,
      onSent: (sent) => void this.sent.push(structuredClone<Sent>(sent)),
      ...this.extra,
    };
    const response = streams ? await this.#streamed(request) : await this.#adapter.complete(request);
    const { text, toolCalls, native } = response;
    this.messages.push({ role: 'assistant', content: text, toolCalls, ...(native === undefined ? {} : { native }) });
    return response;
  }

  #tools(): Pick<ModelRequest, 'offeredTools' | 'closedTools'> {
    const { offered, closed } = this.#began;
    return { offeredTools: () => offered.map(toolNamed), closedTools: () => closed.map(toolNamed) };
  }

  async #streamed(request: ModelRequest): Promise<ModelResponse> {
    for await (const part of this.#adapter.stream(request)) {
      if (part.kind === 'response') return part.response;
      this.parts.push(part);
    }
    throw new Error('the stream holds no response');
  }
}

/** How many entries of a request were not as they are, in the one after it; cache marks aside. */
export function changedEntries(requests: readonly Pick<Sent, 'tools' | 'system' | 'messages'>[]): number {
  return requests.slice(1).reduce((sum, request, at) => {
    const before = requests[at];
    if (before === undefined) return sum;
    const isSame = (one: readonly unknown[], other: readonly unknown[]): number =>
      one.filter((entry, index) => !isDeepStrictEqual(entry, other[index])).length;
    const isLonger = before.tools.length !== request.tools.length || before.system.length !== request.system.length;
    return (
      sum +
      (isLonger ? 1 : 0) +
      isSame(before.tools, request.tools) +
      isSame(before.system, request.system) +
      isSame(before.messages, request.messages)
    );
  }, 0);
}

/** The bodies that arrived, in entries, so that what an adapter says of its requests can be compared with them. */
export function entriesOf(body: Json): Pick<Sent, 'tools' | 'system' | 'messages'> {
  const { tools = [], system = [] } = unmarked(body) as { tools?: readonly unknown[]; system?: readonly unknown[] };
  return { tools, system, messages: blocksSaid(unmarked(body)).map(({ role, block }) => ({ role, content: [block] })) };
}

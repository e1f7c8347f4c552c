import type { Message, ModelAdapter, ModelRequest, ModelResponse, ToolCall } from 'toolwright';
import type { ToolSchema } from 'toolwright/adapters';
import { toolNamed } from './client';

/** A conversation as the core makes one: its tools never change, and its messages are only added. */
export class GrownConversation {
  readonly #adapter: ModelAdapter;
  readonly #begin: Pick<ModelRequest, 'offeredTools' | 'closedTools' | 'searchTool' | 'means'>;
  readonly messages: Message[] = [{ role: 'system', content: 'You help.' }];

  constructor(adapter: ModelAdapter, offered: readonly string[], closed: readonly ToolSchema[]) {
    const searchTool = offered.includes('search_tools') ? 'search_tools' : undefined;
    const begin = { offeredTools: () => offered.map(toolNamed), closedTools: () => closed, searchTool };
    this.#adapter = adapter;
    this.#begin = { ...begin, means: adapter.means?.(begin) };
  }

  /** Asks the model with everything that was said, and adds its answer. */
  async ask(...further: readonly Message[]): Promise<ModelResponse> {
    this.messages.push(...further);
    const response = await this.#adapter.complete(this.request());
    const { text: content, toolCalls, native } = response;
    this.messages.push({ role: 'assistant', content, toolCalls, native });
    return response;
  }

  request(rest: Partial<ModelRequest> = {}): ModelRequest {
    const { signal } = new AbortController();
    return {
      messages: this.messages,
      toolSchemas: () => [toolNamed('enabled_just_now')],
      ...this.#begin,
      signal,
      ...rest,
    };
  }
}

export const user = (content: string): Message => ({ role: 'user', content });

/** The result of a call, with the tools that it opened. */
export function result(call: Pick<ToolCall, 'id' | 'name'>, content: string, ...added: readonly string[]): Message {
  const tools = added.length === 0 ? {} : { tools: { added, removed: [] } };
  return { role: 'tool', toolCallId: call.id, name: call.name, content, failed: false, ...tools };
}

/** A note of the run. */
export function note(from: 'operator' | 'application', content: string, removed: readonly string[] = []): Message {
  return { role: 'user', content, note: from, ...(removed.length === 0 ? {} : { tools: { added: [], removed } }) };
}

/** So many closed tools, with a parameter. */
export function closedTools(count: number): readonly ToolSchema[] {
  return Array.from({ length: count }, (_, index) => ({
    ...toolNamed(`closed_${String(index)}`),
    description: 'Does what nobody needs at the beginning, and what somebody needs later.',
  }));
}

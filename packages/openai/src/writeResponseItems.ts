import type { OpenAI } from 'openai';
import type { Message, ToolCall } from 'toolwright';
import type { ToolSchema } from 'toolwright/adapters';
import {
  CallIds,
  makeLegalName,
  createContentErrors,
  refuseTools,
  wrapBridgeCall,
  WrittenMessages,
} from 'toolwright/internal';
import { writeArguments } from './writeArguments.js';
import { MAX_CALL_ID_CHARS } from './limits.js';
import { writeNativeItems, type FunctionItem } from './writeNativeItems.js';
import { writeResponseContent } from './writeResponseContent.js';
import type { ResponsePlan } from './planResponse.js';
import { writeFunctionTool, toolLimits } from './writeTools.js';

/** An item of a Responses request. */
export type Item = OpenAI.Responses.ResponseInputItem;
type Assistant = Extract<Message, { role: 'assistant' }>;
type Result = Extract<Message, { role: 'tool' }>;

/** The provider's name in native content of a conversation. */
export const PROVIDER = 'openai';

/** The settings that decide, together with the conversation, how its items are written. */
export interface ItemSettings {
  /** The name that errors show. */
  readonly adapter: string;
  /** True if the provider stores its answers, and finds reasoning by its id. */
  readonly isStored: boolean;
  readonly plan: Pick<ResponsePlan, 'tools' | 'textOf' | 'addable'>;
  /** The items that earlier requests of the adapter wrote. */
  readonly written: WrittenItems;
}

/** The items of messages, and the items that add tools after them. */
export class WrittenItems {
  readonly messages = new WrittenMessages<Item>();
  readonly tools = new WrittenMessages<Item>();
}

/**
 * Writes a conversation as the items of a Responses request (docs/contract.md, 16). The items of a message depend only on the message
 * itself and on earlier ones, so that each request begins with the previous one.
 *
 * @throws PromptEvaluationError with phase `request` for content that the API does not take
 */
export function writeResponseItems(messages: readonly Message[], settings: ItemSettings): Item[] {
  const writer = new ItemWriter(settings);
  return messages.flatMap((message, index) => writer.next(message, index));
}

/** Writes one conversation, message by message. */
class ItemWriter {
  readonly #settings: ItemSettings;
  readonly #ids = new CallIds(toLegalId);
  readonly #visible: Set<string>;
  /** Ids of calls of the current turn that have no result yet. */
  #unanswered = new Set<string>();
  /** Ids of calls with a result in another form. */
  #custom = new Set<string>();
  /** Messages that add tools once every call of the turn has its result. */
  #adding: Message[] = [];

  constructor(settings: ItemSettings) {
    this.#settings = settings;
    this.#visible = new Set(settings.plan.tools.map(({ name }) => name));
  }

  next(message: Message, index: number): Item[] {
    switch (message.role) {
      case 'system':
        return [
          ...this.#takeAddedItems(),
          ...this.#writeOnce(message, '', () => [{ role: 'system', content: message.content }]),
        ];
      case 'user': {
        const before = this.#takeAddedItems();
        this.#adding.push(message);
        return [...before, ...this.#writeUser(message, index), ...this.#takeAddedItems()];
      }
      case 'assistant':
        return [...this.#takeAddedItems(), ...this.#writeAnswer(message)];
      case 'tool': {
        const result = this.#writeResult(message, index);
        this.#adding.push(message);
        return this.#unanswered.size === 0 ? [...result, ...this.#takeAddedItems()] : [...result];
      }
    }
  }

  #writeOnce(message: Message, key: string, write: () => readonly Item[]): readonly Item[] {
    return this.#settings.written.messages.of(message, key, write);
  }

  #writeUser(message: Extract<Message, { role: 'user' }>, index: number): readonly Item[] {
    const { adapter, plan } = this.#settings;
    const text = plan.textOf(message);
    return this.#writeOnce(message, text === message.content ? '' : text, () => {
      const content = writeResponseContent(text, message.parts, createContentErrors(adapter, message, index));
      return [{ role: message.note === 'operator' ? 'developer' : 'user', content }];
    });
  }

  #writeAnswer(message: Assistant): readonly Item[] {
    const { toolCalls = [], content, native } = message;
    const { isStored } = this.#settings;
    const sent = this.#ids.begin(toolCalls.map(({ id }) => id));
    const items = this.#writeOnce(message, `${String(isStored)} ${sent.join(' ')}`, () => {
      const calls = toolCalls.map((call, index) => writeCallItem(call, sent[index] ?? ''));
      if (native?.provider === PROVIDER) return writeNativeItems(native.content, calls, isStored);
      return [...(isBlank(content) ? [] : [{ role: 'assistant', content } as const]), ...calls];
    });
    this.#unanswered = new Set(sent);
    this.#custom = new Set(items.flatMap((item) => (item.type === 'custom_tool_call' ? [item.call_id] : [])));
    return items;
  }

  #writeResult(message: Result, index: number): readonly Item[] {
    const { adapter, plan } = this.#settings;
    const call_id = this.#ids.matchAnswer(message.toolCallId) ?? toLegalId(message.toolCallId);
    this.#unanswered.delete(call_id);
    const type = this.#custom.has(call_id) ? 'custom_tool_call_output' : 'function_call_output';
    const text = plan.textOf(message);
    return this.#writeOnce(message, `${type} ${call_id} ${text === message.content ? '' : text}`, () => [
      {
        type,
        call_id,
        output: writeResponseContent(text, message.parts, createContentErrors(adapter, message, index)),
      },
    ]);
  }

  /** Returns the items for tools that messages have added; they follow all results of the turn. */
  #takeAddedItems(): readonly Item[] {
    const adding = this.#adding;
    this.#adding = [];
    const { addable } = this.#settings.plan;
    return addable === undefined ? [] : adding.flatMap((message) => this.#addItems(message, addable));
  }

  #addItems(message: Message, addable: ReadonlyMap<string, ToolSchema>): readonly Item[] {
    const names = (('tools' in message ? message.tools?.added : undefined) ?? []).filter(
      // The provider refuses a second tool with the same name, and tools are never removed.
      (name) => addable.has(name) && !this.#visible.has(name),
    );
    if (names.length === 0) return [];
    for (const name of names) this.#visible.add(name);
    const added = names.flatMap((name) => addable.get(name) ?? []);
    refuseTools(this.#settings.adapter, added, toolLimits);
    const tools = added.map(writeFunctionTool);
    return this.#settings.written.tools.of(message, JSON.stringify(tools), () => [
      { type: 'additional_tools', role: 'developer', tools },
    ]);
  }
}

function isBlank(content: string | null): content is null {
  return content === null || content.trim() === '';
}

function writeCallItem(call: ToolCall, id: string): FunctionItem {
  const { name, arguments: given } = wrapBridgeCall(call);
  return { type: 'function_call', call_id: id, name: makeLegalName(name), arguments: writeArguments(given) };
}

function toLegalId(id: string): string {
  return id.slice(0, MAX_CALL_ID_CHARS) || 'call';
}

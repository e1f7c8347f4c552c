import type { OpenAI } from 'openai';
import type { Message, ToolCall } from 'toolwright';
import type { ToolSchema } from 'toolwright/adapters';
import {
  CallIds,
  makeLegalName,
  describeFound,
  refuseTools,
  wrapBridgeCall,
  WrittenMessages,
} from 'toolwright/internal';
import { createContentErrors } from './createContentErrors.js';
import { writeArguments } from './writeArguments.js';
import { MAX_CALL_ID_CHARS } from './limits.js';
import { writeSearchOutput } from './searchItems.js';
import { writeCall, writeNativeItems, type FunctionItem } from './writeNativeItems.js';
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
  readonly plan: Pick<ResponsePlan, 'tools' | 'textOf' | 'addable' | 'search' | 'findable'>;
  /** The items that earlier requests of the adapter wrote. */
  readonly written: WrittenItems;
}

/** The items of messages, the items that add tools after them, and the texts of results that have no place for one. */
export class WrittenItems {
  readonly messages = new WrittenMessages<Item>();
  readonly tools = new WrittenMessages<Item>();
  readonly texts = new WrittenMessages<Item>();
}

/** The item that answers a call, by the type of the call. */
const OUTPUTS = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
  tool_search_call: 'tool_search_output',
} as const;

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
  /** The types of the calls of the current turn, by their ids. */
  #types = new Map<string, keyof typeof OUTPUTS>();
  /** Writes the items that follow once every call of the turn has its result. */
  #following: (() => readonly Item[])[] = [];

  constructor(settings: ItemSettings) {
    this.#settings = settings;
    this.#visible = new Set(settings.plan.tools.map(({ name }) => name));
  }

  next(message: Message, index: number): Item[] {
    switch (message.role) {
      case 'system':
        return [
          ...this.#takeFollowing(),
          ...this.#writeOnce(message, '', () => [{ role: 'system', content: message.content }]),
        ];
      case 'user': {
        const before = this.#takeFollowing();
        return [...before, ...this.#writeUser(message, index), ...this.#addItems(message)];
      }
      case 'assistant':
        return [...this.#takeFollowing(), ...this.#writeAnswer(message)];
      case 'tool': {
        const result = this.#writeResult(message, index);
        return this.#unanswered.size === 0 ? [...result, ...this.#takeFollowing()] : [...result];
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
    const { isStored, plan } = this.#settings;
    const { search } = plan;
    const sent = this.#ids.begin(toolCalls.map(({ id }) => id));
    const items = this.#writeOnce(message, `${String(isStored)} ${String(search)} ${sent.join(' ')}`, () => {
      const calls = toolCalls.map((call, index) => writeCallItem(call, sent[index] ?? ''));
      if (native?.provider === PROVIDER) return writeNativeItems(native.content, calls, { isStored, search });
      const written = calls.map((call) => writeCall(call, search));
      return [...(isBlank(content) ? [] : [{ role: 'assistant', content } as const]), ...written];
    });
    this.#unanswered = new Set(sent);
    this.#types = new Map(items.flatMap(readCallType));
    return items;
  }

  #writeResult(message: Result, index: number): readonly Item[] {
    const { adapter, plan } = this.#settings;
    const call_id = this.#ids.matchAnswer(message.toolCallId) ?? toLegalId(message.toolCallId);
    this.#unanswered.delete(call_id);
    const type = OUTPUTS[this.#types.get(call_id) ?? 'function_call'];
    if (type === 'tool_search_output') {
      this.#following.push(() => this.#writeSearchText(message, index));
      return this.#writeFound(message, call_id);
    }
    this.#following.push(() => this.#addItems(message));
    const text = plan.textOf(message);
    return this.#writeOnce(message, `${type} ${call_id} ${text === message.content ? '' : text}`, () => [
      {
        type,
        call_id,
        output: writeResponseContent(text, message.parts, createContentErrors(adapter, message, index)),
      },
    ]);
  }

  /** Returns the result of a search, which defines the found tools and has no place for a text. */
  #writeFound(message: Result, id: string): readonly Item[] {
    const found = this.#takeNew(message, this.#settings.plan.findable);
    const output = writeSearchOutput(id, found);
    return this.#writeOnce(message, `tool_search_output ${id} ${JSON.stringify(output.tools)}`, () => [output]);
  }

  /**
   * Returns the text of a search as a message: an opened section, or why nothing was found. It is not sent with the operator's
   * authority, since it repeats words of the model. A text that only names the found tools is left out.
   */
  #writeSearchText(message: Result, index: number): readonly Item[] {
    const { content, parts = [], name, tools, failed } = message;
    const isKnown = content === describeFound(tools?.added ?? [], [], [], undefined) && !failed;
    if (isKnown && parts.length === 0) return [];
    return this.#settings.written.texts.of(message, '', () => [
      {
        role: 'user',
        content: writeResponseContent(
          `[Result of ${name}]\n\n${content}`,
          parts,
          createContentErrors(this.#settings.adapter, message, index),
        ),
      },
    ]);
  }

  #takeFollowing(): readonly Item[] {
    const following = this.#following;
    this.#following = [];
    return following.flatMap((write) => write());
  }

  /** Returns the item for the tools that a message adds. */
  #addItems(message: Message): readonly Item[] {
    const { addable } = this.#settings.plan;
    if (addable === undefined) return [];
    const tools = this.#takeNew(message, addable).map(writeFunctionTool);
    if (tools.length === 0) return [];
    return this.#settings.written.tools.of(message, JSON.stringify(tools), () => [
      { type: 'additional_tools', role: 'developer', tools },
    ]);
  }

  /** Returns the tools that a message adds: the provider refuses a second tool with the same name, and tools are never removed. */
  #takeNew(message: Message, known: ReadonlyMap<string, ToolSchema>): readonly ToolSchema[] {
    const names = (('tools' in message ? message.tools?.added : undefined) ?? []).filter(
      (name) => known.has(name) && !this.#visible.has(name),
    );
    for (const name of names) this.#visible.add(name);
    const added = names.flatMap((name) => known.get(name) ?? []);
    refuseTools(this.#settings.adapter, added, toolLimits);
    return added;
  }
}

function readCallType(item: Item): readonly (readonly [id: string, type: keyof typeof OUTPUTS])[] {
  if (item.type === 'function_call' || item.type === 'custom_tool_call') return [[item.call_id, item.type]];
  const isSearch = item.type === 'tool_search_call' && item.execution === 'client';
  return isSearch && typeof item.call_id === 'string' ? [[item.call_id, item.type]] : [];
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

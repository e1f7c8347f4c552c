import type { Message } from 'toolwright';
import { CallIds, OPENING_NOTE } from 'toolwright/internal';
import type { AiMessage } from './AiLanguageModel.js';
import { answerParts, resultPart, saidParts, texts, type Written } from './messageParts.js';
import type { AiTools } from './modelTools.js';
import { PendingToolChanges } from './PendingToolChanges.js';

type ToolMessage = Extract<Message, { role: 'tool' }>;

/** A conversation as it is sent, without marks for a cache. */
export interface WrittenPrompt {
  readonly system: readonly AiMessage[];
  readonly messages: readonly AiMessage[];
}

/** What stands for an answer without content where the provider needs one. */
const NO_ANSWER = '(no answer)';

/**
 * Writes conversations as prompts: the results of a turn's calls in one message, and notes where the provider takes them. What
 * is written for a message depends on it and on those before it alone, and is the same object each time, so that a request
 * begins with the one before it (docs/contract.md, 16).
 */
export class PromptWriter {
  readonly #model: Written;
  readonly #known = new WeakMap<object, { readonly key: readonly unknown[]; readonly entry: AiMessage }>();

  constructor(model: Written) {
    this.#model = model;
  }

  /** Writes a conversation for a model that has these tools. */
  write(conversation: readonly Message[], tools: AiTools): WrittenPrompt {
    const begun = conversation.findIndex(({ role }) => role !== 'system');
    const first = begun < 0 ? conversation.length : begun;
    const system = conversation.slice(0, first).flatMap((message) => this.#system(message, message.content ?? ''));
    const walk = new Walk(this.#model, tools, (of, key, make) => this.#once(of, key, make));
    for (const message of conversation.slice(first)) walk.add(message);
    return { system, messages: walk.end() };
  }

  #system(message: Message, content: string): AiMessage[] {
    if (content.trim() === '') return [];
    return [this.#once(message, ['system', content], () => ({ role: 'system', content }))];
  }

  /** Returns what was written for a message before, if it was written from the same. */
  #once(of: object, key: readonly unknown[], make: () => AiMessage): AiMessage {
    const known = this.#known.get(of);
    if (known?.key.length === key.length && known.key.every((part, index) => part === key[index])) return known.entry;
    const entry = make();
    this.#known.set(of, { key, entry });
    return entry;
  }
}

type Once = (of: object, key: readonly unknown[], make: () => AiMessage) => AiMessage;

/** One walk over a conversation, behind its first system messages. */
class Walk {
  readonly #model: Written;
  readonly #tools: AiTools;
  readonly #once: Once;
  readonly #ids = new CallIds();
  readonly #written: AiMessage[] = [];
  readonly #changes: PendingToolChanges;
  /** Results of the turn that are not written yet. */
  #results: ToolMessage[] = [];

  constructor(model: Written, tools: AiTools, once: Once) {
    this.#model = model;
    this.#tools = tools;
    this.#once = once;
    this.#changes = new PendingToolChanges(tools);
  }

  add(message: Message): void {
    const { systemNotes } = this.#tools.means;
    const isNote = message.role === 'system' || (message.role === 'user' && message.note === 'operator');
    if (message.role !== 'tool') this.#closeTurn(!isNote);
    // A request may have ended with the notes, so that they stay where they are; the provider takes no user behind them.
    if (message.role === 'user' && !isNote && systemNotes === 'user' && this.#written.at(-1)?.role === 'system')
      this.#written.push(SILENCE);
    switch (message.role) {
      case 'system':
        return this.#note(message, message.content);
      case 'user': {
        const text = this.#tools.textOf(message);
        if (message.note === 'operator' && message.parts === undefined) this.#note(message, text);
        else this.#said(message, text, message);
        return this.#changes.add(message);
      }
      case 'assistant':
        return this.#answer(message);
      case 'tool':
        this.#results.push(message);
        return this.#changes.add(message);
    }
  }

  end(): readonly AiMessage[] {
    this.#closeTurn(true);
    if (this.#written[0]?.role !== 'user') this.#written.unshift(BEGINNING);
    return this.#written;
  }

  /** Writes the results of the turn, then the changes of tools, which must not stand between results. */
  #closeTurn(isEnd: boolean): void {
    const [first] = this.#results;
    if (first !== undefined) {
      const results = this.#results.map((message) => ({
        message,
        text: this.#tools.textOf(message),
        id: this.#ids.answered(message.toolCallId),
      }));
      const key = ['tool', ...results.flatMap(({ message, text, id }) => [message, text, id])];
      const content = () => results.map(({ message, text, id }) => resultPart(this.#model, text, message, id));
      this.#written.push(this.#once(first, key, () => ({ role: 'tool', content: content() })));
      this.#results = [];
    }
    const change = this.#changes.take(isEnd);
    if (change === undefined) return;
    const key = ['system', JSON.stringify(change.entry)];
    this.#written.push(this.#once(change.of, key, () => change.entry));
  }

  #note(message: Extract<Message, { role: 'system' | 'user' }>, text: string): void {
    const { systemNotes } = this.#tools.means;
    const last = this.#written.at(-1)?.role;
    const isAfterUser = last === 'user' || last === 'tool';
    if (text.trim() === '') return;
    if (systemNotes === 'user' && isAfterUser) this.#changes.addText(message, text);
    else if (systemNotes === 'anywhere' && last !== undefined)
      this.#written.push(this.#once(message, ['system', text], () => ({ role: 'system', content: text })));
    else this.#said(message, text, undefined);
  }

  #said(message: Message, text: string, user: Extract<Message, { role: 'user' }> | undefined): void {
    const make = (): AiMessage => ({
      role: 'user',
      content: user === undefined ? texts(text) : saidParts(this.#model, text, user),
    });
    this.#push(this.#once(message, ['user', text], make));
  }

  #answer(message: Extract<Message, { role: 'assistant' }>): void {
    const ids = this.#ids.begin((message.toolCalls ?? []).map(({ id }) => id));
    const { native } = message;
    const firstParts = [message, ...(native?.pauses ?? []).map((position) => native?.content[position])];
    const entries = answerParts(this.#model, message, ids).flatMap((content, index): readonly AiMessage[] => {
      if (content.length === 0) return [];
      const of = firstParts[index];
      const entry: AiMessage = { role: 'assistant', content: [...content] };
      return [typeof of === 'object' && of !== null ? this.#once(of, ['assistant', ...ids], () => entry) : entry];
    });
    const needsAnswer = this.#tools.means.systemNotes === 'user' && this.#written.at(-1)?.role === 'system';
    if (entries.length > 0 || !needsAnswer) {
      this.#written.push(...entries);
      return;
    }
    // Notes must not be followed by a message of the user.
    this.#written.push(SILENCE);
  }

  #push(entry: AiMessage): void {
    if (entry.content.length > 0) this.#written.push(entry);
  }
}

const SILENCE: AiMessage = { role: 'assistant', content: texts(NO_ANSWER) };
/** Several providers require a user message first; a run may begin without one. */
const BEGINNING: AiMessage = { role: 'user', content: texts(OPENING_NOTE) };

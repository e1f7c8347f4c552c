import type { Message } from 'toolwright';
import { CallIds, OPENING_NOTE } from 'toolwright/internal';
import { isObject } from 'toolwright/internal/light';
import type { AiMessage, AiProviderOptions } from './AiLanguageModel.js';
import { writeAnswerParts, writeResultPart, writeUserMessage, writeTexts, type Written } from './messageParts.js';
import type { AiTools } from './writeModelTools.js';
import { PendingToolChanges } from './PendingToolChanges.js';
import { mergeOptions } from './providerOptions.js';

type ToolMessage = Extract<Message, { role: 'tool' }>;

/** A conversation in the form for the model, without marks for a cache. */
export interface WrittenPrompt {
  readonly system: readonly AiMessage[];
  readonly messages: readonly AiMessage[];
}

/** Replaces an empty answer where the provider needs one. */
const NO_ANSWER = '(no answer)';

/**
 * Writes conversations as prompts: the results of a turn's calls in one message, and notes where the provider accepts them. The
 * written message depends only on its own message and on earlier ones, and is the same object each time, so that each request
 * begins with the previous one (docs/contract.md, 16).
 */
export class PromptWriter {
  readonly #model: Written;
  readonly #known = new WeakMap<object, { readonly key: readonly unknown[]; readonly entry: AiMessage }>();

  constructor(model: Written) {
    this.#model = model;
  }

  write(conversation: readonly Message[], tools: AiTools): WrittenPrompt {
    const begun = conversation.findIndex(({ role }) => role !== 'system');
    const first = begun < 0 ? conversation.length : begun;
    const system = conversation.slice(0, first).flatMap((message) => this.#writeSystem(message, message.content ?? ''));
    const walk = new Walk(this.#model, tools, (of, key, make) => this.#writeOnce(of, key, make));
    for (const message of conversation.slice(first)) walk.add(message);
    return { system, messages: walk.end() };
  }

  #writeSystem(message: Message, content: string): AiMessage[] {
    if (content.trim() === '') return [];
    return [this.#writeOnce(message, ['system', content], () => ({ role: 'system', content }))];
  }

  /** Returns the earlier message if it was written from the same values; otherwise writes it. */
  #writeOnce(of: object, key: readonly unknown[], make: () => AiMessage): AiMessage {
    const known = this.#known.get(of);
    if (known?.key.length === key.length && known.key.every((part, index) => part === key[index])) return known.entry;
    const entry = make();
    this.#known.set(of, { key, entry });
    return entry;
  }
}

type Once = (of: object, key: readonly unknown[], make: () => AiMessage) => AiMessage;

/** One pass over a conversation, after its first system messages. */
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
    // An earlier request may have ended with the notes, so they stay in front; the provider does not accept a user message after them.
    if (message.role === 'user' && !isNote && systemNotes === 'user' && this.#written.at(-1)?.role === 'system')
      this.#written.push(SILENCE);
    switch (message.role) {
      case 'system':
        return this.#addNote(message, message.content);
      case 'user': {
        const text = this.#tools.textOf(message);
        if (message.note === 'operator' && message.parts === undefined) this.#addNote(message, text);
        else this.#addUser(message, text, message);
        return this.#changes.add(message);
      }
      case 'assistant':
        return this.#addAnswer(message);
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

  /** Writes the results of the turn, then the changes of tools, which must not come between results. */
  #closeTurn(isEnd: boolean): void {
    const [first] = this.#results;
    if (first !== undefined) {
      const results = this.#results.map((message) => ({
        message,
        text: this.#tools.textOf(message),
        id: this.#ids.matchAnswer(message.toolCallId),
      }));
      const key = ['tool', ...results.flatMap(({ message, text, id }) => [message, text, id])];
      const content = () => results.map(({ message, text, id }) => writeResultPart(this.#model, text, message, id));
      this.#written.push(this.#once(first, key, () => ({ role: 'tool', content: content() })));
      this.#results = [];
    }
    const change = this.#changes.take(isEnd);
    if (change === undefined) return;
    const key = ['system', JSON.stringify(change.entry)];
    this.#written.push(this.#once(change.of, key, () => change.entry));
  }

  #addNote(message: Extract<Message, { role: 'system' | 'user' }>, text: string): void {
    const { systemNotes } = this.#tools.means;
    const last = this.#written.at(-1)?.role;
    const isAfterUser = last === 'user' || last === 'tool';
    if (text.trim() === '') return;
    if (systemNotes === 'user' && isAfterUser) this.#changes.addText(message, text);
    else if (systemNotes === 'anywhere' && last !== undefined)
      this.#written.push(this.#once(message, ['system', text], () => ({ role: 'system', content: text })));
    else this.#addUser(message, text, undefined);
  }

  #addUser(message: Message, text: string, user: Extract<Message, { role: 'user' }> | undefined): void {
    const make = (): AiMessage => ({
      role: 'user',
      content: user === undefined ? writeTexts(text) : writeUserMessage(this.#model, text, user),
    });
    this.#push(this.#once(message, ['user', text], make));
  }

  #addAnswer(message: Extract<Message, { role: 'assistant' }>): void {
    const ids = this.#ids.begin((message.toolCalls ?? []).map(({ id }) => id));
    const { native } = message;
    const firstParts = [message, ...(native?.pauses ?? []).map((position) => native?.content[position])];
    const entries = writeAnswerParts(this.#model, message, ids).flatMap((content, index): readonly AiMessage[] => {
      if (content.length === 0) return [];
      const of = firstParts[index];
      const entry: AiMessage = { role: 'assistant', content: [...content] };
      return [isObject(of) ? this.#once(of, ['assistant', ...ids], () => entry) : entry];
    });
    const needsAnswer = this.#tools.means.systemNotes === 'user' && this.#written.at(-1)?.role === 'system';
    if (entries.length > 0 || !needsAnswer) {
      this.#written.push(...entries);
      return;
    }
    // A message of the user must not follow notes.
    this.#written.push(SILENCE);
  }

  #push(entry: AiMessage): void {
    if (entry.content.length > 0) this.#written.push(entry);
  }
}

const SILENCE: AiMessage = { role: 'assistant', content: writeTexts(NO_ANSWER) };
/** Several providers require a user message first; a run may begin without one. */
const BEGINNING: AiMessage = { role: 'user', content: writeTexts(OPENING_NOTE) };

/**
 * Returns the messages of a request with marks at the ends of the parts that later requests repeat: the prompt, and the
 * conversation so far. The messages are copies, since the same entries are sent again without a mark.
 */
export function markPrompt({ system, messages }: WrittenPrompt, mark: AiProviderOptions | undefined): AiMessage[] {
  const prompt = [...system, ...messages];
  // A message without text cannot carry a mark, and the pieces of a paused answer stay unchanged.
  const ends = [
    system.at(-1),
    messages.filter(({ role, content }) => role !== 'assistant' && content.length > 0).at(-1),
  ];
  return prompt.map((message) => {
    const isEnd = mark !== undefined && ends.includes(message);
    return isEnd ? { ...message, providerOptions: { ...mergeOptions(message.providerOptions, mark) } } : { ...message };
  });
}

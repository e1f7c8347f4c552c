import type { Anthropic } from '@anthropic-ai/sdk';
import { type Message, PromptEvaluationError } from 'toolwright';
import type { ToolChanges } from 'toolwright/adapters';
import { CallIds, OPENING_NOTE, type ToolPlan, WrittenMessages } from 'toolwright/internal';
import { writeAssistantBlocks } from './writeAssistantBlocks.js';
import { writePartBlocks, writeTexts } from './writePartBlocks.js';
import { entriesOfPieces } from './pausedPieces.js';
import { writeToolResult } from './writeToolResult.js';

type Block = Anthropic.Beta.Messages.BetaContentBlockParam;
type Role = Anthropic.Beta.Messages.BetaMessageParam['role'];

/** Begins a conversation without a user message, since the provider requires one first. The text does not claim to come from a user. */
const OPENING: Entry = { role: 'user', content: [{ type: 'text', text: OPENING_NOTE }] };

/** Replaces a missing answer where the next message needs one before it, e.g. after a cancelled request. */
const SILENCE: Entry = { role: 'assistant', content: [{ type: 'text', text: '(no answer)' }] };

/** Precedes a change of tools if the turn has nothing else to say. */
const CHANGED: Entry = { role: 'user', content: [{ type: 'text', text: 'Other tools can be used now.' }] };

/** One block of a conversation with its role; the provider compares these. */
export interface Entry {
  readonly role: Role;
  readonly content: readonly [Block];
}

/** How the messages of one conversation are written; the same in all of its requests. */
export interface WritingRules {
  /** The adapter's name, for errors. */
  readonly adapter: string;
  /** True if the run's own notes are sent as system messages. */
  readonly systemMessages: boolean;
  /** Every tool of the conversation, and whether the model has it from the start; undefined if messages do not offer and withdraw tools. */
  readonly tools?: ReadonlyMap<string, boolean> | undefined;
  /** Returns the text of a message as it is sent. */
  readonly textOf: ToolPlan['textOf'];
}

/**
 * Writes a conversation in the form of a Messages request. The entries of a message depend on the message and on earlier ones, never
 * on later ones, so that each request begins with the previous one (docs/contract.md, 17). A system message has to be the last
 * before an answer: results of tools come before it, and if a message of the user follows it, an answer is put in between.
 */
export class ConversationWriter {
  readonly #rules: WritingRules;
  readonly #known: WrittenMessages<Entry>;
  readonly #ids = new CallIds(toLegalId);
  readonly #available: Map<string, boolean>;
  readonly #entries: Entry[] = [];
  /** System messages since the model's last answer. */
  readonly #system: Entry[] = [];
  #hasSpoken = false;

  /** @param known the entries of earlier requests under the same rules */
  constructor(rules: WritingRules, known = new WrittenMessages<Entry>()) {
    this.#rules = rules;
    this.#known = known;
    this.#available = new Map(rules.tools);
  }

  /**
   * @param first the index of the first of them
   * @throws PromptEvaluationError with phase `request` for content that the provider does not take
   */
  write(conversation: readonly Message[], first: number): readonly Entry[] {
    for (let index = first; index < conversation.length; index++) {
      const message = conversation[index];
      if (message !== undefined) this.#add(message, index);
    }
    if (this.#entries.length === 0) this.#entries.push(OPENING);
    this.#entries.push(...this.#system);
    return this.#entries;
  }

  #add(message: Message, index: number): void {
    switch (message.role) {
      case 'system':
        return this.#sayAsUser(this.#writeOnce(message, '', () => writeTexts(message.content)));
      case 'assistant':
        return this.#answer(message);
      case 'tool': {
        const id = this.#ids.matchAnswer(message.toolCallId) ?? toLegalId(message.toolCallId);
        const text = this.#rules.textOf(message);
        const parts = (): ReturnType<typeof writePartBlocks> =>
          writePartBlocks(message.parts, this.#placeOf(message, index));
        this.#say(this.#writeOnce(message, `${id} ${text}`, () => [writeToolResult(message, id, text, parts())]));
        return this.#writeToolChanges(message.tools, index);
      }
      case 'user':
        return this.#take(message, index);
    }
  }

  #answer(message: Extract<Message, { role: 'assistant' }>): void {
    const ids = this.#ids.begin((message.toolCalls ?? []).map(({ id }) => id));
    const said = this.#known.of(message, ids.join(' '), () =>
      entriesOfPieces(writeAssistantBlocks(message, ids), (block): Entry => ({ role: 'assistant', content: [block] })),
    );
    // Otherwise later messages would end up before the system message, which was sent at the end.
    const entries = said.length === 0 && this.#system.length > 0 ? [SILENCE] : said;
    if (entries.length === 0) return;
    if (this.#entries.length === 0) this.#entries.push(OPENING);
    this.#entries.push(...this.#system.splice(0), ...entries);
    this.#hasSpoken = false;
  }

  #take(message: Extract<Message, { role: 'user' }>, index: number): void {
    const { parts, note, tools } = message;
    const text = this.#rules.textOf(message);
    const write = (): readonly Block[] => [
      ...writeTexts(text),
      ...writePartBlocks(parts, this.#placeOf(message, index)),
    ];
    // A system message needs a user message before it; without one, the note goes into a user message.
    if (note === 'operator' && this.#rules.systemMessages && this.#hasSpoken && (parts ?? []).length === 0) {
      this.#writeToolChanges(tools, index);
      this.#system.push(...this.#writeOnce(message, `system ${text}`, write, 'system'));
    } else {
      this.#sayAsUser(this.#writeOnce(message, `user ${text}`, write));
      this.#writeToolChanges(tools, index);
    }
  }

  /** Adds entries that are not results. Pending system messages stay in front: an earlier request may have ended with them. */
  #sayAsUser(entries: readonly Entry[]): void {
    if (entries.length > 0 && this.#system.length > 0) this.#entries.push(...this.#system.splice(0), SILENCE);
    this.#say(entries);
  }

  #say(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    this.#entries.push(...entries);
    this.#hasSpoken = true;
  }

  /** Tells the provider which tools come and go, except for changes that it knows already. */
  #writeToolChanges(changes: ToolChanges | undefined, index: number): void {
    const { tools } = this.#rules;
    if (changes === undefined || tools === undefined) return;
    const changesOf = (type: 'tool_addition' | 'tool_removal', names: readonly string[]): readonly Entry[] =>
      names
        .filter((name) => this.#isChange(name, type === 'tool_addition', index))
        .map((name) => ({ role: 'system', content: [{ type, tool: { type: 'tool_reference', name } }] }));
    const entries = [...changesOf('tool_removal', changes.removed), ...changesOf('tool_addition', changes.added)];
    if (entries.length === 0) return;
    if (!this.#hasSpoken) this.#say([CHANGED]);
    this.#system.push(...entries);
  }

  #isChange(name: string, isAvailable: boolean, index: number): boolean {
    const was = this.#available.get(name);
    if (was === undefined) {
      const where = `message ${String(index)}`;
      throw new PromptEvaluationError(`${this.#rules.adapter} cannot offer ${name} from ${where} on.`, {
        phase: 'request',
        place: `messages[${String(index)}].tools`,
        remedy:
          'Name only tools that offeredTools or closedTools of the request hold: they were fixed at the beginning.',
      });
    }
    this.#available.set(name, isAvailable);
    return was !== isAvailable;
  }

  /** Writes a message unless it was written before. `key` holds everything else that its blocks depend on. */
  #writeOnce(message: Message, key: string, write: () => readonly Block[], role: Role = 'user'): readonly Entry[] {
    return this.#known.of(message, key, () => write().map((block): Entry => ({ role, content: [block] })));
  }

  #placeOf({ role }: Message, index: number): Parameters<typeof writePartBlocks>[1] {
    return { adapter: this.#rules.adapter, index, role };
  }
}

function toLegalId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_') || 'call';
}

import type { Message } from 'toolwright';
import type { ToolSchema } from 'toolwright/adapters';
import type { AiJson, AiMessage } from './AiLanguageModel.js';
import type { AiTools } from './writeModelTools.js';

type Changer = Extract<Message, { role: 'user' | 'tool' }>;

/** A system message about tools, and the last message that it was made from. */
export interface ToolChange {
  readonly of: Message;
  readonly entry: AiMessage;
}

/**
 * Collects the tools that come and go in a conversation, in the form for the provider: definitions right after the turn, or changes
 * in one system message before the next answer, together with the notes of the run, since nothing else may follow them.
 */
export class PendingToolChanges {
  readonly #tools: AiTools;
  readonly #native: 'toolChanges' | 'additionalTools' | undefined;
  /** The tools that the model knows of. */
  readonly #announced: Set<string>;
  #now: Set<string>;
  #texts: string[] = [];
  #of: Message | undefined;

  constructor(tools: AiTools) {
    const { closedTools } = tools.means;
    this.#tools = tools;
    this.#native = closedTools === 'toolChanges' || closedTools === 'additionalTools' ? closedTools : undefined;
    this.#announced = new Set(tools.offered);
    this.#now = new Set(tools.offered);
  }

  add(message: Changer): void {
    const { tools } = message;
    if (tools === undefined || this.#native === undefined) return;
    for (const name of tools.removed) this.#now.delete(name);
    for (const name of tools.added)
      if (this.#tools.later.has(name) || this.#tools.offered.has(name)) this.#now.add(name);
    this.#of = message;
  }

  /** Adds a note that is part of the same system message. */
  addText(message: Message, text: string): void {
    this.#texts.push(text);
    this.#of = message;
  }

  /**
   * Returns the system message that is due, if any.
   *
   * @param isEnd true before an answer of the model and at the end of the prompt
   */
  take(isEnd: boolean): ToolChange | undefined {
    const of = this.#of;
    if (of === undefined || (!isEnd && this.#native !== 'additionalTools')) return undefined;
    const content = this.#texts.join('\n\n');
    const providerOptions = this.#native === 'additionalTools' ? this.#takeDefinitions() : this.#takeChanges();
    this.#texts = [];
    this.#of = undefined;
    if (content === '' && providerOptions === undefined) return undefined;
    return { of, entry: { role: 'system', content, ...(providerOptions === undefined ? {} : { providerOptions }) } };
  }

  #takeChanges(): AiMessage['providerOptions'] {
    const added = [...this.#now].filter((name) => !this.#announced.has(name));
    const removed = [...this.#announced].filter((name) => !this.#now.has(name));
    for (const name of added) this.#announced.add(name);
    for (const name of removed) this.#announced.delete(name);
    if (added.length + removed.length === 0) return undefined;
    const toolChanges = [
      ...added.map((toolName) => ({ type: 'tool_addition', toolName })),
      ...removed.map((toolName) => ({ type: 'tool_removal', toolName })),
    ];
    return { anthropic: { toolChanges } };
  }

  /** Takes the definitions of tools that the provider does not know yet. It keeps them: there is no removal. */
  #takeDefinitions(): AiMessage['providerOptions'] {
    const added = [...this.#now].filter((name) => !this.#announced.has(name));
    for (const name of added) this.#announced.add(name);
    const definitions = added.flatMap((name) => this.#tools.later.get(name) ?? []);
    return definitions.length === 0 ? undefined : { openai: { additionalTools: definitions.map(toDefinition) } };
  }
}

/** Writes the definition of a tool. `strict` is always set, since the provider defaults to true. */
function toDefinition({ name, description, parameters, strict }: ToolSchema): AiJson {
  return { type: 'function', name, description, parameters: parameters as AiJson, strict };
}

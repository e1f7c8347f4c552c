import type { BoundPrompt, ModelAdapter, Session } from 'toolwright';
import type { Conversation } from 'toolwright/conversations';
import type { CommandContext } from '../Context.js';
import type { Loaded } from '../load/loadApplication.js';
import { yellow } from '../terminal/TerminalText.js';
import { EventView } from './EventView.js';
import type { TerminalApprover } from './TerminalApprover.js';

export interface TalkParts {
  readonly loaded: Loaded;
  readonly prompt: BoundPrompt;
  readonly adapter: ModelAdapter;
  readonly session: Session;
  readonly conversation: Conversation;
  readonly approver: TerminalApprover;
  readonly json: boolean;
}

/** A conversation of a person with a model at the terminal. */
export class Talk {
  readonly #context: CommandContext;
  readonly #parts: TalkParts;

  constructor(context: CommandContext, parts: TalkParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /**
   * Sends a message, and shows the answer. Ctrl-C cancels the answer, not the conversation.
   *
   * @returns false if it was cancelled
   * @throws the error that ended the run, unless the run waits for an approval
   */
  async say(content: string): Promise<boolean> {
    const stop = new AbortController();
    const release = this.#context.interrupts.handle(() => {
      stop.abort(new DOMException('It was cancelled.', 'AbortError'));
    });
    try {
      await this.#answer([{ role: 'user', content }], stop.signal);
      return true;
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      this.#context.terminal.note(yellow('cancelled; what was committed stays'));
      return false;
    } finally {
      release();
    }
  }

  async #answer(
    messages: readonly { role: 'user'; content: string }[] | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { terminal } = this.#context;
    const { loaded, prompt, adapter, session, conversation, json } = this.#parts;
    const { runMetadata } = loaded;
    const view = new EventView(terminal, json);
    try {
      const stream = loaded.app.stream(prompt, { adapter, session, conversation, messages, signal, runMetadata });
      for await (const event of stream) view.show(event);
    } catch (error) {
      view.endText();
      if (!(await this.#replyToQuestions())) throw error;
      return this.#answer(undefined, signal);
    }
    view.endText();
  }

  /** Asks the person the questions of a parked run and replies; returns false if it has none. */
  async #replyToQuestions(): Promise<boolean> {
    const { conversation, approver, prompt, session } = this.#parts;
    const questions = conversation.questions.filter(({ about }) => about === 'approval');
    if (questions.length === 0) return false;
    const rendered = await prompt.render({ session });
    for (const question of questions)
      await conversation.reply(question.call, await approver.decide(question, rendered));
    return true;
  }
}

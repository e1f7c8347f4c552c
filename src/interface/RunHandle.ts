import type { Message } from '../value/Message.js';
import type { Usage } from '../value/Usage.js';
import type { PromptView } from './PromptView.js';

/** The result of a nested run. */
export interface NestedResponse {
  readonly text: string | null;
  /** The parsed answer; undefined if the prompt declares no output. */
  readonly output: unknown;
  readonly usage: Usage | undefined;
  readonly turns: number;
  /** False if a completion checker refused the answer, and it was accepted nevertheless. */
  readonly complete: boolean;
}

/** The run that a handler serves: lets the same model answer another prompt (docs/contract.md, 6). */
export interface RunHandle {
  /** The adapter's name. */
  readonly adapter: string;
  /**
   * Lets the run's model answer another prompt, within the handler's own call: its tool calls are savepoints of it, and it
   * shares session, deadline, budget and signal.
   *
   * @param prompt a prompt of the application
   */
  evaluate(
    prompt: PromptView,
    options?: { readonly messages?: readonly Message[] | undefined },
  ): Promise<NestedResponse>;
  /**
   * Returns the text of an earlier result of the run's conversation.
   *
   * @param handle as a shortened history names it
   * @returns undefined if the conversation has no result with this handle
   */
  result(handle: string): string | undefined;
}

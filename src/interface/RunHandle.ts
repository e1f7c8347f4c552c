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
  /** False if a completion checker refused the answer, which was accepted nevertheless. */
  readonly complete: boolean;
}

/** The run that a handler serves. Lets the same model answer another prompt (docs/contract.md, 6). */
export interface RunHandle {
  /** The name of the adapter. */
  readonly adapter: string;
  /**
   * Lets the run's model answer another prompt within the call of the handler. Its tool calls are savepoints of that
   * call, and it shares session, deadline, budget and signal.
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
   * @param handle the name of the result in a shortened history
   * @returns undefined if the conversation has no result with this handle
   */
  result(handle: string): string | undefined;
}

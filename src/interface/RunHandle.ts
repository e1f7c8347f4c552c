import type { Message } from '../value/Message.js';
import type { Usage } from '../value/Usage.js';
import type { PromptView } from './PromptView.js';

/** What a nested run came to. */
export interface NestedResponse {
  readonly text: string | null;
  /** What the answer was read into; undefined when the prompt declares no output. */
  readonly output: unknown;
  readonly usage: Usage | undefined;
  readonly turns: number;
  /** False when a completion checker refuses the answer, and it was taken all the same. */
  readonly complete: boolean;
}

/** What a handler sees of the run that it serves: it can let the same model answer another prompt (docs/contract.md, 6). */
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
}

import { brand } from '../common/brand.js';
import type { Message } from '../value/Message.js';
import type { Usage } from '../value/Usage.js';
import { type EventHead, FrozenEvent } from './ToolInvoked.js';

/** The fields of `PromptRendered`. */
export interface PromptRenderedFields extends EventHead {
  /** `ns/key` of the prompt. */
  readonly prompt: string;
  readonly text: string;
  readonly toolNames: readonly string[];
}

/** A prompt was rendered for a run (docs/contract.md, 9). */
export class PromptRendered extends FrozenEvent<PromptRenderedFields> {}
brand(PromptRendered, 'PromptRendered');
export interface PromptRendered extends PromptRenderedFields {}

/** The fields of `PromptExecuted`. */
export interface PromptExecutedFields extends EventHead {
  readonly prompt: string;
  readonly text: string | null;
  /** The usage of all requests of the run. */
  readonly usage: Usage | undefined;
  /** In the currency of `prices`; undefined without a price for the model. */
  readonly cost?: number | undefined;
  readonly turns: number;
  /** False if a completion checker refused the answer, which was accepted nevertheless. */
  readonly complete: boolean;
}

/** A run returned its answer (docs/contract.md, 9). */
export class PromptExecuted extends FrozenEvent<PromptExecutedFields> {}
brand(PromptExecuted, 'PromptExecuted');
export interface PromptExecuted extends PromptExecutedFields {}

/** The fields of `PromptStopped`. */
export interface PromptStoppedFields extends EventHead {
  readonly prompt: string;
  /** The reason why the run rejects: an error, or the reason of the caller's signal. */
  readonly error: unknown;
  /** The conversation so far, with the system message, redacted as in a response. */
  readonly transcript: readonly Message[];
  /** The usage of all answered requests; undefined if one of them reported none. */
  readonly usage: Usage | undefined;
  /** The number of requests that were answered. */
  readonly turns: number;
  /** `session.version` of the run's session. */
  readonly sessionVersion: number;
}

/** A run ended without an answer, or waits for a reply (docs/contract.md, 9). */
export class PromptStopped extends FrozenEvent<PromptStoppedFields> {}
brand(PromptStopped, 'PromptStopped');
export interface PromptStopped extends PromptStoppedFields {}

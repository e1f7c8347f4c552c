import type { Filesystem } from './Filesystem.js';
import type { Logger } from './ports.js';
import type { PromptView } from './PromptView.js';
import type { ResourceScope } from './ResourceBinding.js';
import type { SessionPort } from './SessionPort.js';

/** The remaining time of a run, as ports see it. Implemented by `Deadline`. */
export interface DeadlineView {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds left; negative after the deadline has passed. */
  readonly remaining: number;
  /** Milliseconds since its creation. */
  readonly elapsed: number;
  readonly expired: boolean;
}

/** The properties of a run that are available everywhere in it. */
export interface RunScope {
  readonly prompt: PromptView;
  readonly session: SessionPort;
  readonly resources: ResourceScope;
  /** The resource bound to `Filesystem`, or null. */
  readonly filesystem: Filesystem | null;
  readonly deadline: DeadlineView | null;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Returns milliseconds since the epoch, from the application's clock. */
  now(): number;
  newId(): string;
}

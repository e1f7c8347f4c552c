import type { Filesystem } from './Filesystem.js';
import type { Logger } from './Logger.js';
import type { PromptView } from './PromptView.js';
import type { ResourceScope } from './ResourceBinding.js';
import type { SessionPort } from './SessionPort.js';

/** What is left of a run's time, as ports see it; `Deadline` is the class behind it. */
export interface DeadlineView {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds left; negative once it has passed. */
  readonly remaining: number;
  /** Milliseconds since it was made. */
  readonly elapsed: number;
  readonly expired: boolean;
}

/** What can be seen of a run from any place in it. */
export interface RunScope {
  readonly prompt: PromptView;
  readonly session: SessionPort;
  readonly resources: ResourceScope;
  /** The files that are bound to `Filesystem`; null when none are. */
  readonly filesystem: Filesystem | null;
  readonly deadline: DeadlineView | null;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Milliseconds since the epoch, by the application's clock. */
  now(): number;
  newId(): string;
}

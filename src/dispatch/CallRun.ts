import type { EventBus } from '../event/EventBus.js';
import type { Clock } from '../interface/Clock.js';
import type { IdSource } from '../interface/IdSource.js';
import type { Logger } from '../interface/Logger.js';
import type { Deadline } from '../limit/Deadline.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import type { ResourceRegistry } from '../resource/ResourceRegistry.js';
import type { Redaction } from './Redaction.js';
import type { Serialiser } from '../schema/serialise.js';
import type { TransactionBase } from '../session/SessionTransaction.js';

/** What the dispatcher needs of its application. */
export interface DispatchServices {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly eventBus: EventBus;
  readonly resources: ResourceRegistry;
  readonly serialiser: Serialiser;
  readonly redaction: Redaction;
}

/** The run that a call belongs to: the same for every call of a turn. */
export interface CallRun {
  readonly rendered: RenderedPrompt;
  readonly session: TransactionBase;
  readonly deadline: Deadline | undefined;
  /** The caller's own signal. */
  readonly signal: AbortSignal | undefined;
  /** Hears of the run's events beside the bus. */
  readonly onEvent: ((event: object) => void) | undefined;
}

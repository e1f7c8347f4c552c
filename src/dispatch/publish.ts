import type { AbstractConstructor } from '../common/types.js';
import type { EventHead } from '../event/ToolInvoked.js';
import { publishTo } from '../event/publishTo.js';
import type { CallRun, DispatchServices } from './CallRun.js';

/** True when somebody hears of events of the class: the bus, the run's listener, or a reducer of the session. */
export function hasListeners(
  { eventBus }: DispatchServices,
  run: CallRun,
  type: AbstractConstructor<unknown>,
): boolean {
  return run.onEvent !== undefined || eventBus.reaches(type) || run.observer?.hears(type) === true;
}

/** What every event of a run begins with. */
export function eventHead({ clock, ids }: DispatchServices, { session, metadata: context }: CallRun): EventHead {
  return { id: ids(), time: clock.now(), sessionId: session.id, runMetadata: context };
}

/** Tells the session's reducers, the bus and the run's listener, in this order. */
export function publish({ eventBus, logger }: DispatchServices, run: CallRun, event: object): void {
  run.observer?.observe(event);
  publishTo(event, eventBus, run.onEvent, logger);
}

import { className, isThenable } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import type { Logger } from '../interface/Logger.js';
import type { EventBus } from './EventBus.js';

/** Delivers an event to the bus and to a run's own listener; what they throw is logged and changes nothing. */
export function publishTo(
  event: object,
  bus: EventBus,
  listener: ((event: object) => unknown) | undefined,
  logger: Logger,
): void {
  const report = (error: unknown): void => {
    logger.error(`A subscriber of ${className(event.constructor)} failed: ${messageOf(error)}`, { error });
  };
  for (const error of bus.publish(event).errors) report(error);
  try {
    const heard: unknown = listener?.(event);
    if (isThenable(heard)) Promise.resolve(heard).catch(report);
  } catch (error) {
    report(error);
  }
}

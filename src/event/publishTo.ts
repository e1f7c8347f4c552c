import { className, isThenable } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import type { Logger } from '../interface/Logger.js';
import type { EventBus } from './EventBus.js';

/** Delivers an event to the bus and to the listener of the run; errors of subscribers are logged and have no effect. */
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
    const delivered: unknown = listener?.(event);
    if (isThenable(delivered)) Promise.resolve(delivered).catch(report);
  } catch (error) {
    report(error);
  }
}

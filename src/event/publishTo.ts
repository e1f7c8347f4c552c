import { className, ignoreRejection, isThenable } from '../common/classes.js';
import { describeValue, messageOf } from '../common/text.js';
import type { AbstractConstructor } from '../common/types.js';
import { createPlacedError } from '../error/ToolwrightError.js';
import type { Logger } from '../interface/ports.js';
import type { EventBus } from './EventBus.js';

/** Returns true if the bus has subscribers of the class, or cannot say so. */
export function reaches(bus: EventBus, type: AbstractConstructor<unknown>, logger: Logger): boolean {
  try {
    return bus.reaches(type);
  } catch (error) {
    reportPort(logger, 'eventBus.reaches', `it threw: ${messageOf(error)}`, error);
    return true;
  }
}

/**
 * Delivers an event to the bus and to the listener of the run. Errors of the bus, the listener and subscribers are
 * logged and have no other effect.
 */
export function publishTo(
  event: object,
  bus: EventBus,
  listener: ((event: object) => unknown) | undefined,
  logger: Logger,
): void {
  const failed = (error: unknown): void => {
    logger.error(`A subscriber of ${className(event.constructor)} failed: ${messageOf(error)}`, { error });
  };
  for (const error of collectErrors(event, bus, logger)) failed(error);
  try {
    const delivered: unknown = listener?.(event);
    if (isThenable(delivered)) Promise.resolve(delivered).catch(failed);
  } catch (error) {
    failed(error);
  }
}

function collectErrors(event: object, bus: EventBus, logger: Logger): readonly unknown[] {
  try {
    const published: unknown = bus.publish(event);
    ignoreRejection(published);
    const { errors } = (published ?? {}) as { readonly errors?: unknown };
    if (Array.isArray(errors)) return errors;
    reportPort(logger, 'eventBus.publish', `it returned ${describeValue(published)} instead of { errors }`);
  } catch (error) {
    reportPort(logger, 'eventBus.publish', `it threw: ${messageOf(error)}`, error);
  }
  return [];
}

/** Logs E414: a port of the host failed, or returned a value of the wrong type. */
export function reportPort(logger: Logger, place: string, problem: string, cause?: unknown): void {
  const error = createPlacedError(problem, { code: 'E414', place, cause });
  logger.error(error.message, { error });
}

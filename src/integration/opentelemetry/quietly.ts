import { diag } from '@opentelemetry/api';

/**
 * Does something for observation alone: what it throws is told to OpenTelemetry's own `diag`, and to nobody else. A run does
 * not end because it cannot be watched.
 */
export function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    try {
      diag.error('toolwright: a span or a measurement could not be made', error);
    } catch {
      // A logger that throws has nobody left to be told to.
    }
    return undefined;
  }
}

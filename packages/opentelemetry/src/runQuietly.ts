import { diag } from '@opentelemetry/api';

/**
 * Runs work that only observes: what it throws is reported to OpenTelemetry's own `diag`, and otherwise dropped. A run does not
 * fail because it cannot be traced.
 */
export function runQuietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    try {
      diag.error('toolwright: a span or a measurement could not be made', error);
    } catch {
      // There is no other place to report a logger that throws.
    }
    return undefined;
  }
}

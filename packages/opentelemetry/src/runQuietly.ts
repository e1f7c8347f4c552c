import { diag } from '@opentelemetry/api';

/**
 * Runs work that only observes. Errors are reported to OpenTelemetry's own `diag`, and otherwise dropped: a run does not fail
 * because it cannot be traced.
 */
export function runQuietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    try {
      diag.error('toolwright: a span or a measurement could not be made', error);
    } catch {
      // A logger that throws cannot be reported anywhere.
    }
    return undefined;
  }
}

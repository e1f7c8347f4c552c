export { openTelemetry, type OpenTelemetryOptions } from './openTelemetry.js';
export { runTraces, type RunTracesOptions } from './traceparent.js';

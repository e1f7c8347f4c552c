export { openTelemetry, type OpenTelemetryOptions } from './openTelemetry.js';
export { runTraces } from './traceparent.js';

export { openTelemetry, type OpenTelemetryOptions } from './openTelemetry.js';

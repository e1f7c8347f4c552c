/** The areas whose cases run. All others wait for the part of the framework that they are about. */
export const standingAreas: ReadonlySet<string> = new Set([
  'rendering',
  'params',
  'validation',
  'section-key',
  'tool-name',
  'tool-description',
  'tool-example',
  'enablement',
  'dispatch',
  'result-rendering',
  'session',
  'deadline',
  'serde-parse',
  'serde-schema',
  'serde-dump',
]);

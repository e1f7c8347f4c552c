// Tools for your own loop, their unusual properties, and rehearsals of calls.
export {
  rehearse,
  rehearses,
  type ChangedPart,
  type Rehearsal,
  type RehearsalOptions,
} from '../application/rehearse.js';
export { rehearseRun, type RunRehearsal, type RunRehearsalOptions } from '../application/rehearseRun.js';
export { toolFindings, type ToolFinding } from '../metadata/toolFindings.js';
export type { OwnLoopOptions } from '../application/tools/OwnLoopHandler.js';
export { toStandardTools, type StandardTool } from '../application/tools/toStandardTools.js';

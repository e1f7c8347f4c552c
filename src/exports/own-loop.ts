// Tools for a loop of your own.
export type { OwnLoopOptions } from '../application/tools/ExternalCallHandler.js';
export { toStandardTools, type StandardTool, type StandardToolCall } from '../application/tools/toStandardTools.js';

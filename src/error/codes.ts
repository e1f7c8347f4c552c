import type { CodeEntry } from './codes/CodeEntry.js';
import { applicationCodes } from './codes/applicationCodes.js';
import { callCodes } from './codes/callCodes.js';
import { mcpCodes } from './codes/mcpCodes.js';
import { nestCodes } from './codes/nestCodes.js';
import { paramsCodes } from './codes/paramsCodes.js';
import { programCodes } from './codes/programCodes.js';
import { renderingCodes } from './codes/renderingCodes.js';
import { resourceCodes } from './codes/resourceCodes.js';
import { runCodes } from './codes/runCodes.js';
import { sectionCodes } from './codes/sectionCodes.js';
import { sessionCodes } from './codes/sessionCodes.js';
import { toolCodes } from './codes/toolCodes.js';

export type { CodeEntry };

/**
 * Every failure that Toolwright reports, by code.
 * E1 tools, E2 params and results, E3 sections and prompts, E4 containers, E5 rendering, E6 tool calls (E65-E67 programs, E68
 * bridged MCP servers, E69 served ones), E7 evaluation and adapters, E8 sessions, E9 resources (E95 Nest).
 */
export const codes = {
  ...toolCodes,
  ...paramsCodes,
  ...sectionCodes,
  ...applicationCodes,
  ...renderingCodes,
  ...callCodes,
  ...programCodes,
  ...mcpCodes,
  ...runCodes,
  ...sessionCodes,
  ...resourceCodes,
  ...nestCodes,
} as const;

/** A code of the table. */
export type ErrorCode = keyof typeof codes;

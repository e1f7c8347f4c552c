import { applicationRemedies } from './codes/applicationCodes.js';
import { callRemedies } from './codes/callCodes.js';
import { mcpRemedies } from './codes/mcpCodes.js';
import { nestRemedies } from './codes/nestCodes.js';
import { paramsRemedies } from './codes/paramsCodes.js';
import { programRemedies } from './codes/programCodes.js';
import { renderingRemedies } from './codes/renderingCodes.js';
import { resourceRemedies } from './codes/resourceCodes.js';
import { runRemedies } from './codes/runCodes.js';
import { sectionRemedies } from './codes/sectionCodes.js';
import { sessionRemedies } from './codes/sessionCodes.js';
import { toolRemedies } from './codes/toolCodes.js';

/**
 * The remedy of every error code. E1 tools, E2 params and results, E3 sections and prompts, E4 containers, E5
 * rendering, E6 tool calls (E65-E67 programs, E68 bridged MCP servers, E69 MCP servers of Toolwright), E7 evaluation
 * and adapters, E8 sessions, E9 resources (E95 Nest; E96-E97 the command line, in `codes/cliCodes.ts`).
 */
export const remedies = {
  ...toolRemedies,
  ...paramsRemedies,
  ...sectionRemedies,
  ...applicationRemedies,
  ...renderingRemedies,
  ...callRemedies,
  ...programRemedies,
  ...mcpRemedies,
  ...runRemedies,
  ...sessionRemedies,
  ...resourceRemedies,
  ...nestRemedies,
} as const;

/** An error code of docs/errors.md. */
export type ErrorCode = keyof typeof remedies;

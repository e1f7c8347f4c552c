import { applicationTexts } from './codes/applicationCodes.js';
import { callTexts } from './codes/callCodes.js';
import { mcpTexts } from './codes/mcpCodes.js';
import { nestTexts } from './codes/nestCodes.js';
import { paramsTexts } from './codes/paramsCodes.js';
import { programTexts } from './codes/programCodes.js';
import { renderingTexts } from './codes/renderingCodes.js';
import { resourceTexts } from './codes/resourceCodes.js';
import { runTexts } from './codes/runCodes.js';
import { sectionTexts } from './codes/sectionCodes.js';
import { sessionTexts } from './codes/sessionCodes.js';
import { toolTexts } from './codes/toolCodes.js';
import type { CodeText } from './codes/CodeText.js';
import type { ErrorCode } from './remedies.js';

/**
 * Titles and meanings of all codes. Kept apart from the remedies, because only remedies are needed when an error is
 * thrown.
 */
export const codeTexts: Readonly<Record<ErrorCode, CodeText>> = {
  ...toolTexts,
  ...paramsTexts,
  ...sectionTexts,
  ...applicationTexts,
  ...renderingTexts,
  ...callTexts,
  ...programTexts,
  ...mcpTexts,
  ...runTexts,
  ...sessionTexts,
  ...resourceTexts,
  ...nestTexts,
};

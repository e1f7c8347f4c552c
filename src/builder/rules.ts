import type { Rule } from './PromptDraft.js';
import { constructorParameters } from './rule/constructorParameters.js';
import { extensionTools } from './rule/extensionTools.js';
import { handlerSignature } from './rule/handlerSignature.js';
import { parametersWithoutTool } from './rule/parametersWithoutTool.js';
import { policyTools } from './rule/policyTools.js';
import { promptNames } from './rule/promptNames.js';
import { sectionDefaults } from './rule/sectionDefaults.js';
import { sectionHooks } from './rule/sectionHooks.js';
import { sectionKey } from './rule/sectionKey.js';
import { reservedToolNames } from './rule/reservedToolNames.js';
import { sectionSummary } from './rule/sectionSummary.js';
import { sectionTitle } from './rule/sectionTitle.js';
import { templatePlaceholders } from './rule/templatePlaceholders.js';
import { toolDescription } from './rule/toolDescription.js';
import { toolExamples } from './rule/toolExamples.js';
import { toolName } from './rule/toolName.js';
import { toolPlace } from './rule/toolPlace.js';
import { toolRepeated } from './rule/toolRepeated.js';
import { toolResult } from './rule/toolResult.js';
import { toolRetry } from './rule/toolRetry.js';
import { toolUniqueness } from './rule/toolUniqueness.js';

/** Every rule of declaration, in the order in which findings are reported. */
export const rules: readonly Rule[] = [
  promptNames,
  sectionKey,
  sectionTitle,
  sectionDefaults,
  sectionHooks,
  templatePlaceholders,
  sectionSummary,
  toolPlace,
  toolName,
  toolDescription,
  toolUniqueness,
  reservedToolNames,
  extensionTools,
  policyTools,
  handlerSignature,
  constructorParameters,
  parametersWithoutTool,
  toolRepeated,
  toolResult,
  toolRetry,
  toolExamples,
];

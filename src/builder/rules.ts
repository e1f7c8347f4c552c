import type { Rule } from './PromptDraft.js';
import { checkConstructorParameters, checkHandlerSignatures, checkStrayParameters } from './rule/signatureRules.js';
import { checkExtensionTools, checkPolicyTools, checkReservedToolNames } from './rule/toolNameRules.js';
import { checkPromptNames } from './rule/promptRules.js';
import {
  checkSearchableSections,
  checkSectionDefaults,
  checkSectionHooks,
  checkSectionKeys,
  checkSectionSummaries,
  checkSectionTitles,
} from './rule/sectionRules.js';
import { checkTemplatePlaceholders } from './rule/checkTemplatePlaceholders.js';
import { checkToolDescriptions } from './rule/checkToolDescriptions.js';
import { checkToolExamples } from './rule/checkToolExamples.js';
import { checkToolNames } from './rule/checkToolNames.js';
import {
  checkToolPlace,
  checkRepeatedTools,
  checkToolResults,
  checkToolRetries,
  checkToolUniqueness,
} from './rule/toolRules.js';

/** All rules for declarations, in the order in which findings are reported. */
export const rules: readonly Rule[] = [
  checkPromptNames,
  checkSectionKeys,
  checkSectionTitles,
  checkSectionDefaults,
  checkSectionHooks,
  checkTemplatePlaceholders,
  checkSectionSummaries,
  checkSearchableSections,
  checkToolPlace,
  checkToolNames,
  checkToolDescriptions,
  checkToolUniqueness,
  checkReservedToolNames,
  checkExtensionTools,
  checkPolicyTools,
  checkHandlerSignatures,
  checkConstructorParameters,
  checkStrayParameters,
  checkRepeatedTools,
  checkToolResults,
  checkToolRetries,
  checkToolExamples,
];

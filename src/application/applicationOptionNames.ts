import type { OptionNames } from '../error/optionNames.js';
import type { ApplicationOptions, Limits } from './ApplicationOptions.js';

/** The options of `createApplication`. */
export const applicationOptionNames: OptionNames<ApplicationOptions> = {
  prompts: 1,
  container: 1,
  resources: 1,
  fieldNames: 1,
  coerce: 1,
  limits: 1,
  toolTexts: 1,
  overrides: 1,
  tokenEstimator: 1,
  approver: 1,
  interceptors: 1,
  random: 1,
  clock: 1,
  ids: 1,
  logger: 1,
  eventBus: 1,
  redact: 1,
};

/** The limits of an application. */
export const limitNames: OptionNames<Limits> = { turnMs: 1, resultChars: 1, partBytes: 1, policyMs: 1, callMs: 1 };

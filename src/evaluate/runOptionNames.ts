import type { OptionNames } from '../error/optionNames.js';
import type { HistoryOptions } from './conversation/shortenHistory.js';
import type { CallOptions, EvaluateOptions } from './RunOptions.js';

/** The options of calls. */
export const callOptionNames: OptionNames<CallOptions> = {
  session: 1,
  deadline: 1,
  budget: 1,
  signal: 1,
  runMetadata: 1,
  onEvent: 1,
};

/** The options of runs. */
export const evaluateOptionNames: OptionNames<EvaluateOptions> = {
  ...callOptionNames,
  adapter: 1,
  output: 1,
  overridesTag: 1,
  messages: 1,
  conversation: 1,
  runId: 1,
  onUnknown: 1,
  after: 1,
  history: 1,
  toolChoice: 1,
  parallelToolCalls: 1,
  stopSequences: 1,
  temperature: 1,
  expansions: 1,
  maxTurns: 1,
  maxRefusedAnswers: 1,
};

/** The options of a history. */
export const historyOptionNames: OptionNames<HistoryOptions> = { maxTokens: 1, summarise: 1, spillAbove: 1 };

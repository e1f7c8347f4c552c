// Evals of prompts: tasks, scorers, repeats, results, reports and comparisons.
export { defineEval } from './Eval.js';
export type { Eval, EvalCall, EvalGate, EvalOptions, EvalRun, RunContext, Score, ScoredRun, Scorer } from './Eval.js';
export { EvalError, type EvalErrorDetails } from './EvalError.js';
export { createProgressBar, type ProgressStream } from './createProgressBar.js';
export { evalTests, type TestHost } from './evalTests.js';
export { promptRun, type PromptRunOptions } from './promptRun.js';
export {
  compareReports,
  type EvalComparison,
  type ScorerComparison,
  writeComparison,
} from './report/compareReports.js';
export type {
  EvalReport,
  GateReport,
  PassReport,
  ScorerReport,
  TaskReport,
  TaskScores,
  TotalReport,
} from './report/EvalReport.js';
export { readReport } from './report/readReport.js';
export { writeHtml } from './report/writeHtml.js';
export { writeJson } from './report/writeJson.js';
export { writeJUnit } from './report/writeJUnit.js';
export { writeSummary } from './report/writeSummary.js';
export type { ResultCall, ScoreResult, TaskResult } from './results/TaskResult.js';
export { type EvalProgress, runEval, type RunEvalOptions } from './runEval.js';
export { answerOutput, type AnswerOutputOptions, answerText, type AnswerTextOptions } from './score/answers.js';
export type { StateMatch } from './score/compareStates.js';
export { endState, type EndStateOptions, hashState } from './score/endState.js';
export { judge, type JudgeOptions } from './score/judge.js';
export type { ArgumentsComparator, ArgumentsMode, TrajectoryMode } from './score/matchCalls.js';
export { trajectory, type TrajectoryOptions } from './score/trajectory.js';
export { type EvalBudget, withinBudget } from './score/withinBudget.js';
export type { Estimate } from './statistics/estimate.js';
export type { EvalExpectation, EvalTask, ExpectedCall, TaskSource } from './tasks/EvalTask.js';

// A harness for vitest-evals, which runs the function of an eval.
export { evalHarness, type EvalHarnessOptions } from './evalHarness.js';

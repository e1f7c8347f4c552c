'use strict';

/** Jest's statuses of tests that did not run. None are allowed in this project: a run that left tests out is a failed run. */
const LEFT_OUT = new Set(['pending', 'todo', 'skipped', 'disabled']);

/**
 * Prints `N passed, N failed` as the last line of a run, and before it how many tests lack their data (spec/support/absent.ts).
 */
module.exports = class ClosingLine {
  constructor(globalConfig) {
    // With `-t`, jest reports every test that the pattern leaves out as pending.
    this.isFiltered = Boolean(globalConfig.testNamePattern);
    this.leftOut = [];
  }

  onRunComplete(_contexts, results) {
    const tests = results.testResults.flatMap((file) => file.testResults);
    const passed = tests.filter((test) => test.status === 'passed');
    const absent = passed.filter((test) => test.title.startsWith('absent:'));
    const failed = tests.filter((test) => test.status === 'failed');
    this.leftOut = this.isFiltered ? [] : tests.filter((test) => LEFT_OUT.has(test.status));

    const lines = this.leftOut.map((test) => `left out: ${test.fullName}`);
    if (absent.length > 0) lines.push(`absent: ${absent.length} tests (data folder not there)`);
    const failures = failed.length + this.leftOut.length + results.numRuntimeErrorTestSuites;
    lines.push(`${passed.length - absent.length} passed, ${failures} failed`);
    // jest's own summary is printed after all reporters: only the end of the process is later.
    process.once('exit', () => process.stdout.write(`${lines.join('\n')}\n`));
  }

  /** Jest calls this to decide its exit code. */
  getLastError() {
    return this.leftOut.length > 0 ? new Error(`${this.leftOut.length} tests were left out`) : undefined;
  }
};

'use strict';

const { existsSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const { join } = require('node:path');
const { describeCounts, readCounts } = require('./prefixCounts.cjs');

/** Where the environments of spec files (spec/support/Environment.cjs) count the requests of conversations. */
const PREFIX_COUNTS = join(__dirname, '../../build/prefix');

/** Specs of attacks write their measurements here (spec/support/attacks/around.ts). */
const ATTACKS = join(__dirname, '../../build/attacks');

/** The specs of the faults that docs/contract.md lists in section 27. */
const FAULTS = join(__dirname, '../faults');

/** Jest's statuses of tests that did not run. None are allowed in this project: a run that left tests out is a failed run. */
const LEFT_OUT = new Set(['pending', 'todo', 'skipped', 'disabled']);

/**
 * Prints `N passed, N failed` as the last line of a run, and before it how many tests lack their data (spec/support/absent.ts),
 * how many fault cases held, what was measured around attacks, and how many requests of conversations were compared with the one
 * before them.
 */
module.exports = class ClosingLine {
  constructor(globalConfig) {
    // With `-t`, jest reports every test that the pattern leaves out as pending.
    this.isFiltered = Boolean(globalConfig.testNamePattern);
    this.leftOut = [];
  }

  onRunStart() {
    for (const folder of [PREFIX_COUNTS, ATTACKS]) rmSync(folder, { recursive: true, force: true });
  }

  onRunComplete(_contexts, results) {
    const tests = results.testResults.flatMap((file) => file.testResults);
    const passed = tests.filter((test) => test.status === 'passed');
    const absent = passed.filter((test) => test.title.startsWith('absent:'));
    const failed = tests.filter((test) => test.status === 'failed');
    this.leftOut = this.isFiltered ? [] : tests.filter((test) => LEFT_OUT.has(test.status));

    const lines = this.leftOut.map((test) => `left out: ${test.fullName}`);
    if (absent.length > 0) lines.push(`absent: ${absent.length} tests (data folder not there)`);
    const faults = results.testResults
      .filter((file) => file.testFilePath.startsWith(FAULTS))
      .flatMap((file) => file.testResults);
    const held = faults.filter((test) => test.status === 'passed').length;
    if (faults.length > 0 && !this.isFiltered) lines.push(`faults: ${faults.length} cases, ${held} held`);
    const attacks = describeAttacks();
    if (attacks !== undefined && !this.isFiltered) lines.push(attacks);
    const prefix = readCounts(PREFIX_COUNTS);
    lines.push(describeCounts(prefix));
    this.changedBytes = prefix.changedBytes;
    const broken = prefix.changedBytes > 0 ? 1 : 0;
    const failures = failed.length + this.leftOut.length + results.numRuntimeErrorTestSuites + broken;
    lines.push(`${passed.length - absent.length} passed, ${failures} failed`);
    // jest's own summary is printed after all reporters: only the end of the process is later.
    process.once('exit', () => process.stdout.write(`${lines.join('\n')}\n`));
  }

  /** Jest calls this to decide its exit code. */
  getLastError() {
    if (this.leftOut.length > 0) return new Error(`${this.leftOut.length} tests were left out`);
    return this.changedBytes > 0 ? new Error('a request does not begin with the one before it') : undefined;
  }
};

/** Summarises the measurements of the specs of attacks. Returns undefined when none of them ran. */
function describeAttacks() {
  if (!existsSync(ATTACKS)) return undefined;
  const all = readdirSync(ATTACKS).map((file) => JSON.parse(readFileSync(join(ATTACKS, file), 'utf8')));
  const most = (key) => Math.max(...all.map((each) => each[key]));
  const tests = all.reduce((sum, each) => sum + each.tests, 0);
  return `host: ${tests} attacks; held for ${most('pauseMs').toFixed(0)} ms at most, next honest answer within ${most('answerMs').toFixed(0)} ms, ${(most('kept') / 1e6).toFixed(1)} MB kept at most`;
}

// `npm run -w @toolwright/ui conformance -- [PART OF A NAME]`: rows of the protocols against the real clients, on Node 24. Needs a build.
// The rows of AG-UI are the specs in spec/agUi. The test runner can load their clients, but not `ai` 7 and the hosts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { continueOnNode24 } from './onNode24.mjs';

continueOnNode24(import.meta.url);

const { rows } = await import('./conformance/rows.mjs');
const wanted = process.argv.slice(2);
let held = 0;
let run = 0;
for (const { name, check } of rows) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
  run++;
  try {
    await Promise.race([check(), giveUp()]);
    held++;
  } catch (error) {
    console.log(`not held: ${name}\n${error instanceof Error ? error.stack : String(error)}`);
  }
}
if (wanted.length === 0) runAgUi();
console.log(`ui: ${run} rows, ${held} held`);
process.exit(held === run ? 0 : 1);

/** Rejects after a minute, so that a row that waits for ever fails. */
function giveUp() {
  const MINUTE = 60_000;
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('It did not end within a minute.')), MINUTE).unref();
  });
}

/** Runs the specs of AG-UI, and counts each test as a row. */
function runAgUi() {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-ui-'));
  const report = join(folder, 'report.json');
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const args = ['node_modules/jest/bin/jest.js', '-w', '1', 'packages/ui/spec/agUi', '--json', '--outputFile', report];
  const { stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  try {
    const { numTotalTests, numPassedTests } = JSON.parse(readFileSync(report, 'utf8'));
    run += numTotalTests;
    held += numPassedTests;
    if (numPassedTests < numTotalTests) console.log(stderr);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

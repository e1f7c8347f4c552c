// Where the time of the tests went: by spec file, in the tests and before them (loading, preparation), and the slowest tests.
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../../scripts/process.mjs';

const report = 'build/test-profile.json';
const rows = 25;

/** Runs the short specs, and prints their times. @param jest runs them with further arguments */
export function profile(jest) {
  mkdirSync(join(root, dirname(report)), { recursive: true });
  const started = performance.now();
  process.exitCode = jest('short', '--json', `--outputFile=${report}`, '--silent');
  print(JSON.parse(readFileSync(join(root, report), 'utf8')).testResults, performance.now() - started);
}

function print(results, wall) {
  const files = results.map(({ name, startTime, endTime, assertionResults }) => {
    const tests = assertionResults.reduce((sum, { duration }) => sum + (duration ?? 0), 0);
    return { name: relative(root, name), all: endTime - startTime, tests, rest: endTime - startTime - tests };
  });
  const sum = (key) => files.reduce((total, file) => total + file[key], 0);
  console.log(
    `\n${seconds(wall)} in all; ${files.length} files ran for ${seconds(sum('all'))}, added up over the workers:`,
  );
  console.log(`${seconds(sum('tests'))} in tests, ${seconds(sum('rest'))} before, between and after them.`);
  table('slowest files', files, (file) => [file.all, `${seconds(file.tests)} in tests`, file.name]);
  const tests = results.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({ fullName, all: duration ?? 0, name: relative(root, name) })),
  );
  table('slowest tests', tests, (test) => [test.all, test.name, test.fullName]);
}

function table(title, all, cells) {
  console.log(`\n${title}`);
  const slowest = all.sort((a, b) => b.all - a.all).slice(0, rows);
  for (const [time, ...rest] of slowest.map(cells)) console.log(`${seconds(time).padStart(8)}  ${rest.join('  ')}`);
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

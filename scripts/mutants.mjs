// `npm run mutants`: makes each change of spec/mutants.json in turn in a copy of the tree, and checks that the test named by its row
// then fails (CONTRIBUTING.md has the format). Arguments after `--` select mutants by a part of their names.
import { fork } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import packages from './packages.cjs';
import { fail, root, temporaryFolder } from './process.mjs';

/**
 * A fault may be an endless loop, or a wait without an end. A mutated spec may take this many milliseconds more than twice as long as
 * the unmutated one: the transform of the changed file and the start of a process take most of them.
 */
const EXTRA_MS = 12_000;
/** The most runs in one process, because each run leaks some memory. */
const RUNS_EACH = 25;
const copied = [
  ...['src', 'spec', 'samples', 'scripts', 'package.json', 'tsconfig.json', 'jest.config.cjs'],
  ...packages.flatMap(({ folder }) => ['src', 'spec', 'templates', 'package.json'].map((path) => `${folder}/${path}`)),
];

const only = process.argv.slice(2);
const mutants = JSON.parse(readFileSync(join(root, 'spec/mutants.json'), 'utf8'))
  .filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)))
  .map(readMutant);
if (mutants.length === 0) fail(`No mutant in spec/mutants.json has a name with ${only.join(' or ')}.`);

bootstrap();
const tree = temporaryFolder('mutants');
let [runner, runs] = [undefined, 0];
const verdicts = await judge();
endRunner();
const killed = verdicts.filter((isKilled) => isKilled).length;
console.log(`mutants: ${killed} killed, ${verdicts.length - killed} survived`);
process.exitCode = killed === verdicts.length ? 0 : 1;

/** Reads a row. `killedBy` is `<spec file> > <part of the test's full name>`; texts of several lines are lists. */
function readMutant({ name, what, file, find, replace, killedBy }) {
  const [spec, test] = killedBy.split(/ > (.*)/);
  return { name, what, file, find: [find].flat().join('\n'), replace: [replace].flat().join('\n'), spec, test };
}

async function judge() {
  for (const path of copied.filter((path) => existsSync(join(root, path))))
    cpSync(join(root, path), join(tree, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  const passing = await runTests({
    specs: [...new Set(mutants.map(({ spec }) => spec))],
    test: mutants.map(({ test }) => escapeRegExp(test)).join('|'),
  });
  const verdicts = [];
  for (const mutant of mutants) {
    const began = Date.now();
    const fault = await faultOf(mutant, passing);
    const took = `${((Date.now() - began) / 1_000).toFixed(1)} s`;
    console.log(
      fault === undefined
        ? `killed    ${mutant.name} in ${took}: ${mutant.what}`
        : `SURVIVED  ${mutant.name} in ${took}: ${fault}`,
    );
    verdicts.push(fault === undefined);
  }
  return verdicts;
}

/** Finds the reason why a mutant does not count as killed; undefined if it is killed. */
async function faultOf(mutant, unmutated) {
  const before = matching(unmutated, mutant);
  if (before.length === 0) return `no test of ${mutant.spec} has "${mutant.test}" in its name`;
  if (before.some((test) => test.status !== 'passed')) return `"${mutant.test}" fails without the change as well`;
  const file = join(tree, mutant.file);
  const source = readFileSync(file, 'utf8');
  const [head, tail, ...more] = source.split(mutant.find);
  if (tail === undefined || more.length > 0) return `${mutant.file} does not hold its text once`;
  writeFileSync(file, head + mutant.replace + tail);
  const asked = { specs: [mutant.spec], test: escapeRegExp(mutant.test), isMutated: true };
  const after = await runTests(asked, 2 * measureMs(unmutated, mutant) + EXTRA_MS);
  writeFileSync(file, source);
  // The test passed in time without the change, so the change keeps it from ending.
  if (after === undefined) return undefined;
  const found = matching(after, mutant);
  // If the mutant keeps the spec from loading, there is no test result, which proves nothing about the test.
  if (found.length === 0) return `${mutant.spec} does not load with the change`;
  return found.some((test) => test.status === 'failed')
    ? undefined
    : `"${mutant.test}" passes with the change (${mutant.what})`;
}

/**
 * Runs specs of the copy, or only the tests with a name. Returns the results: spec file, full name, status. Undefined if the run does
 * not end within `timeout` milliseconds.
 */
async function runTests(asked, timeout) {
  // Leftovers of one run may end the process during the next run, so that run is repeated once.
  for (const isLast of [runs === 0, true]) {
    const answer = await answerOf(asked, timeout);
    if (answer !== 'ended') return answer;
    if (isLast) break;
  }
  return fail(`jest did not run ${asked.specs.join(', ')}.`);
}

/** Asks the process that runs jest. Returns `ended` if it ends without an answer. */
async function answerOf(asked, timeout) {
  if (runs >= RUNS_EACH) endRunner();
  runner ??= fork(join(tree, 'spec/support/jestRunner.cjs'), {
    cwd: tree,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  runs++;
  const child = runner;
  return new Promise((resolve) => {
    const done = (answer) => {
      clearTimeout(timer);
      child.removeAllListeners();
      if (!Array.isArray(answer)) endRunner();
      resolve(answer);
    };
    const timer = timeout === undefined ? undefined : setTimeout(() => done(undefined), timeout);
    child.once('message', done).once('exit', () => done('ended'));
    child.send(asked);
  });
}

function endRunner() {
  runner?.kill('SIGKILL');
  [runner, runs] = [undefined, 0];
}

/** The time of the unmutated spec without the tests that only other mutants need. */
function measureMs(results, mutant) {
  const needed = new Set(matching(results, mutant));
  const ofSpec = results.filter(({ file }) => file.endsWith(`/${mutant.spec}`));
  return ofSpec.reduce((sum, test) => (needed.has(test) ? sum : sum - test.durationMs), ofSpec[0].fileMs);
}

function matching(results, { spec, test }) {
  return results.filter(({ file, fullName }) => file.endsWith(`/${spec}`) && fullName.includes(test));
}

function escapeRegExp(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

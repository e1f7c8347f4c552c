// `npm run mutants`: applies each spec/mutants/*.patch in turn to a copy of the tree and demands that the test which the
// patch names then fails. spec/mutants/README.md describes the format. Arguments after `--` are parts of names of patches.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { capture, fail, root, temporaryFolder } from './process.mjs';

const folder = join(root, 'spec/mutants');
const copied = ['src', 'spec', 'samples', 'scripts', 'package.json', 'tsconfig.json', 'jest.config.cjs'];

const only = process.argv.slice(2);
const mutants = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((name) => name.endsWith('.patch') && (only.length === 0 || only.some((part) => name.includes(part))))
  .sort()
  .map(readMutant);
if (only.length > 0 && mutants.length === 0) fail(`No patch in spec/mutants has a name with ${only.join(' or ')}.`);

bootstrap();
const tree = temporaryFolder('mutants');
const verdicts = mutants.length === 0 ? [] : judge();
const killed = verdicts.filter((isKilled) => isKilled).length;
console.log(`mutants: ${killed} killed, ${verdicts.length - killed} survived`);
process.exitCode = killed === verdicts.length ? 0 : 1;

/** `# what: …` and `# killed by: <spec file> > <part of the test's full name>`, both before the diff. */
function readMutant(name) {
  const patch = join(folder, name);
  const preamble = readFileSync(patch, 'utf8').split(/^diff --git /m)[0];
  const what = /^# what: (.+)$/m.exec(preamble)?.[1];
  const killer = /^# killed by: (\S+) > (.+)$/m.exec(preamble);
  if (what === undefined || killer === null)
    fail(`${name}: "# what: …" or "# killed by: <spec file> > <test name>" is missing.`);
  return { name, patch, what, spec: killer[1], test: killer[2].trim() };
}

function judge() {
  for (const path of copied.filter((path) => existsSync(join(root, path))))
    cpSync(join(root, path), join(tree, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  const passing = runTests([...new Set(mutants.map((mutant) => mutant.spec))]);
  return mutants.map((mutant) => {
    const fault = faultOf(mutant, passing);
    console.log(
      fault === undefined ? `killed    ${mutant.name}: ${mutant.what}` : `SURVIVED  ${mutant.name}: ${fault}`,
    );
    return fault === undefined;
  });
}

/** The reason why the mutant does not count as killed; undefined when it does. */
function faultOf(mutant, unmutated) {
  const before = matching(unmutated, mutant);
  if (before.length === 0) return `no test of ${mutant.spec} has "${mutant.test}" in its name`;
  if (before.some((test) => test.status !== 'passed')) return `"${mutant.test}" fails without the patch as well`;
  if (!apply(mutant.patch, '--check')) return 'the patch does not apply';
  apply(mutant.patch);
  const after = matching(runTests([mutant.spec], ['-t', escapeRegExp(mutant.test)]), mutant);
  apply(mutant.patch, '--reverse');
  // A mutant that keeps the file from loading proves nothing about the test: there is no test result.
  if (after.length === 0) return `${mutant.spec} does not load with the patch`;
  return after.some((test) => test.status === 'failed')
    ? undefined
    : `"${mutant.test}" passes with the patch (${mutant.what})`;
}

/** The results of the tests in these files of the copy: spec file, full name, status. */
function runTests(specs, options = []) {
  const report = join(tree, 'report.json');
  rmSync(report, { force: true });
  const jest = ['node_modules/jest/bin/jest.js', '--json', '--outputFile', report];
  const { output } = capture(process.execPath, [...jest, ...options, '--runTestsByPath', ...specs], { cwd: tree });
  if (!existsSync(report)) fail(`jest did not run:\n${output}`);
  return JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap((file) =>
    file.assertionResults.map(({ fullName, status }) => ({ file: file.name, fullName, status })),
  );
}

function matching(results, { spec, test }) {
  return results.filter(({ file, fullName }) => file.endsWith(`/${spec}`) && fullName.includes(test));
}

function apply(patch, ...options) {
  return capture('git', ['apply', ...options, patch], { cwd: tree }).ok;
}

function escapeRegExp(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

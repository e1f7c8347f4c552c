// `npm run -w @toolwright/mcp conformance`: the official conformance suite of MCP, on Node 24, against the built package. The fixtures of
// servers are in packages/mcp/spec/support. With names, such as `2026-07-28 server`, only these sets run.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { build } from '../../../scripts/build.mjs';
import { newNode } from '../../../scripts/node24.mjs';
import { fail, root, temporaryFolder } from '../../../scripts/process.mjs';
import { clientSet } from './conformance/clientSets.mjs';
import { skillSet } from './conformance/skillSets.mjs';
import { taskSet } from './conformance/taskSets.mjs';

/** The server for sets without one of their own. */
const FIXTURE = { source: 'serverConformance', create: 'conformanceServer' };

/**
 * The sets, in the order of the report, with the number of their scenarios. `list` gives the arguments of the suite for a set that its
 * requirements score; other sets list these arguments for each scenario.
 */
const SETS = [
  { group: '2025-11-25', name: 'server', of: 30, list: (url) => requirements('2025-11-25', 'server', '--url', url) },
  { group: '2025-11-25', name: 'client', of: 18, ...clientSet('2025-11-25', 'scored') },
  { group: '2026-07-28', name: 'server', of: 37, list: (url) => requirements('2026-07-28', 'server', '--url', url) },
  { group: '2026-07-28', name: 'client', of: 32, ...clientSet('2026-07-28', 'scored') },
  { group: 'tasks', name: '', of: 10, ...taskSet },
  { group: 'skills', name: '', of: 7, ...skillSet },
  { group: 'client authorization extensions', name: '', of: 6, ...clientSet('2026-07-28', 'extension') },
];
/** Scenarios without a common server that run at once: each starts a process. */
const LANES = 2;

/** Scenarios that fail, as `group name scenario`, each with the reason. None of them is scored. */
const EXPECTED_FAILURES = new Map([
  [
    '2026-07-28 server http-custom-header-server-validation',
    'no tool declares x-mcp-header: arguments stay in the body',
  ],
]);

const wanted = process.argv.slice(2);
const chosen = SETS.filter((set) => wanted.length === 0 || wanted.includes(titleOf(set)));
if (chosen.length === 0) fail(`There are no such sets. There are: ${SETS.map(titleOf).join(', ')}.`);
const { node, problem } = newNode();
if (problem !== undefined) fail(problem);

await build();
const results = [];
for (const set of chosen) results.push(await (set.scenarios === undefined ? runScored(set) : runScenarios(set)));

const groups = [...new Set(results.map(({ group }) => group))];
const counts = groups.map(
  (group) =>
    `${group} ${results
      .filter((each) => each.group === group)
      .map(({ line }) => line.trim())
      .join(', ')}`,
);
console.log(`mcp conformance: ${counts.join('; ')}`);
for (const { surprises } of results) for (const surprise of surprises) console.error(surprise);
process.exitCode = results.every(({ surprises }) => surprises.length === 0) ? 0 : 1;

/** Runs a set that its requirements score. Returns its line of the report, and the scenarios that did not end as expected. */
async function runScored(set) {
  const { report } = await withServer(set, (url) => runSuite(set.list(url)));
  const [scored, unscored = ''] = report.split('\nNot scored for ');
  const scenarios = [...scored.matchAll(/^[✓✗] ([\w/-]+): (\d+) passed, (\d+) failed/gm)]
    .map(([, name, , failed]) => ({ name, isPassed: failed === '0', isScored: !unscored.includes(` ${name} (`) }))
    // Extensions have sets of their own.
    .filter(({ name }) => !unscored.includes(` ${name} (extension)`));
  const counted = scenarios.filter(({ isScored }) => isScored);
  const passed = counted.filter(({ isPassed }) => isPassed).length;
  const surprises = scenarios
    .filter(({ name, isPassed }) => isPassed === EXPECTED_FAILURES.has(`${titleOf(set)} ${name}`))
    .map(({ name, isPassed }) =>
      isPassed ? `${titleOf(set)} ${name} passes: take it off the list.` : `${titleOf(set)} ${name} fails:\n${report}`,
    );
  if (counted.length !== set.of)
    surprises.push(`${titleOf(set)} ran ${counted.length} scored scenarios, not ${set.of}:\n${report}`);
  return { group: set.group, line: `${set.name} ${passed}/${set.of}`, surprises };
}

/** Runs the scenarios of a set one by one. Returns the same as `runScored`. */
async function runScenarios(set) {
  const surprises = [];
  let passed = 0;
  const run = async (waiting, url) => {
    for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
      const result = await runSuite(each.list(url, node));
      if (isPassed(result, each.checksNothing)) passed++;
      else surprises.push(`${titleOf(set)} ${each.name} fails:\n${result.report}`);
    }
  };
  const waiting = [...set.scenarios];
  if (waiting.length !== set.of) surprises.push(`${titleOf(set)} has ${waiting.length} scenarios, not ${set.of}`);
  if (set.needsServer) await withServer(set, (url) => run(waiting, url));
  else await Promise.all(Array.from({ length: LANES }, () => run(waiting)));
  return { group: set.group, line: `${set.name} ${passed}/${set.of}`, surprises };
}

/** A scenario whose checks were all skipped shows nothing, so some check must have passed. */
function isPassed({ report, isClean }, checksNothing = false) {
  const [, passed = 0, failed = 1] = /Passed: (\d+)\/\d+, (\d+) failed/.exec(report) ?? [];
  return isClean && Number(failed) === 0 && (checksNothing || Number(passed) > 0);
}

/** Runs work with the URL of the set's server. */
async function withServer({ fixture: { source, create } = FIXTURE }, work) {
  const module = createRequire(import.meta.url)(compile(source));
  const server = await module[create]();
  try {
    return await work(await server.listen());
  } finally {
    await server.close({ graceMs: 0 });
  }
}

function titleOf({ group, name }) {
  return `${group} ${name}`.trim();
}

function requirements(revision, leg, ...args) {
  return [leg, ...args, '--requirements', revision];
}

/** Runs the suite. Its exit code is not 0 if a check fails, even one that is not scored. */
function runSuite(args) {
  const cli = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const folder = temporaryFolder('mcp-conformance');
  return new Promise((resolve) => {
    execFile(
      node,
      [cli, ...args, '--output-dir', folder],
      { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ report: `${stdout}${stderr}`, isClean: error === null }),
    );
  });
}

/** Compiles a source to a file within this package, from where the package's own name resolves to the build. */
function compile(name) {
  const source = `packages/mcp/spec/support/${name}.ts`;
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.CommonJS,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    useDefineForClassFields: false,
  };
  const { outputText } = ts.transpileModule(readFileSync(join(root, source), 'utf8'), {
    fileName: source,
    compilerOptions,
  });
  const folder = join(root, 'build/mcp-conformance');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.js`), outputText);
  return join(folder, `${name}.js`);
}

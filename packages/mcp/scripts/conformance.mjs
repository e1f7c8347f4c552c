// `npm run -w @toolwright/mcp conformance`: the official conformance suite of MCP, on Node 24, against the built package. The fixture of
// a server is packages/mcp/spec/support/serverConformance.ts. With names, such as `2026-07-28 server`, only these sets run.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { build } from '../../../scripts/build.mjs';
import { newNode } from '../../../scripts/node24.mjs';
import { fail, root, temporaryFolder } from '../../../scripts/process.mjs';
import { taskSets } from './conformance/taskSets.mjs';

/** The server for sets without one of their own. */
const FIXTURE = { source: 'serverConformance', create: 'conformanceServer' };

/**
 * The sets, in the order of the report: the arguments of the suite for a set, or for each of its scenarios, and the number of scenarios that
 * it scores.
 */
const SETS = [
  { group: '2025-11-25', name: 'server', of: 30, list: (url) => requirements('2025-11-25', 'server', '--url', url) },
  { group: '2026-07-28', name: 'server', of: 37, list: (url) => requirements('2026-07-28', 'server', '--url', url) },
  ...taskSets,
];

/** Scenarios that fail, as `group name scenario`, each with the reason. None of them is scored. */
const EXPECTED_FAILURES = new Map([
  [
    '2026-07-28 server http-custom-header-server-validation',
    'no tool declares x-mcp-header: arguments stay in the body',
  ],
]);

const wanted = process.argv.slice(2);
const chosen = SETS.filter(({ group, name }) => wanted.length === 0 || wanted.includes(titleOf({ group, name })));
if (chosen.length === 0) fail(`There are no such sets. There are: ${SETS.map(titleOf).join(', ')}.`);
const { node, problem } = newNode();
if (problem !== undefined) fail(problem);

await build();
const results = [];
for (const set of chosen) results.push(await (set.scenarios === undefined ? runSet(set) : runScenarios(set)));

const groups = [...new Set(results.map(({ group }) => group))];
const counts = groups.map(
  (group) => `${group} ${results.filter((each) => each.group === group).map(({ line }) => line.trim())}`,
);
console.log(`mcp conformance: ${counts.join('; ').replaceAll(',', ', ')}`);
for (const { surprises } of results) for (const surprise of surprises) console.error(surprise);
process.exitCode = results.every(({ surprises }) => surprises.length === 0) ? 0 : 1;

/** Runs one set. Returns its line of the report, and the scenarios that did not end as expected. */
async function runSet(set) {
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

/** Runs the scenarios of a set one by one. Returns the same as `runSet`. */
async function runScenarios(set) {
  const failures = await withServer(set, async (url) => {
    const failed = [];
    for (const { name, list } of set.scenarios) {
      const { report, isPassed } = await runSuite(list(url));
      if (!isPassed || !/\nPassed: \d+\/\d+, 0 failed/.test(report))
        failed.push(`${titleOf(set)} ${name} fails:\n${report}`);
    }
    return failed;
  });
  return { group: set.group, line: `${set.name} ${set.of - failures.length}/${set.of}`, surprises: failures };
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

/** Runs the suite; its exit code is not 0 if a check fails, also one that is not scored. */
function runSuite(args) {
  const cli = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const folder = temporaryFolder('mcp-conformance');
  return new Promise((resolve) => {
    execFile(
      node,
      [cli, ...args, '--output-dir', folder],
      { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ report: `${stdout}${stderr}`, isPassed: error === null }),
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

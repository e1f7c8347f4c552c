// The client sets of the conformance suite, against the bridge over the built package.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, temporaryFolder } from '../../../../scripts/process.mjs';

const SUITE = join(root, 'node_modules/@modelcontextprotocol/conformance');
const CLIENT = fileURLToPath(new URL('client.mjs', import.meta.url));
/** Scenarios that run at once: each starts a process. */
const LANES = 2;

/** Scenarios that may fail, and why the suite is wrong about them. */
export const EXPECTED_CLIENT_FAILURES = new Map([]);

/**
 * Runs the client scenarios of a revision, and returns the passed and failed ones.
 *
 * @param revision `2025-11-25` or `2026-07-28`
 * @param set `scored`; or `extension`, which holds the authorization extensions
 */
export async function runClientSet(revision, set = 'scored') {
  const waiting = listScenarios(revision, set);
  const results = [];
  const lane = async () => {
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift())
      results.push(await runScenario(scenario, revision));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}

/** Lists the client scenarios of a revision's frozen requirements. */
export function listScenarios(revision, set) {
  const lines = readFileSync(join(SUITE, 'requirements', `${revision}.yaml`), 'utf8');
  if (set === 'scored') {
    const [, list = ''] = /^client:\n((?: +- .*\n)+)/m.exec(lines) ?? [];
    return [...list.matchAll(/- (\S+)/g)].map(([, name]) => name);
  }
  const entries = lines.matchAll(/- scenario: (\S+)\n +leg: client\n +reason: (\S+)/g);
  return [...entries].filter(([, , reason]) => reason === set).map(([, name]) => name);
}

function runScenario(scenario, revision) {
  const folder = temporaryFolder('mcp-conformance-client');
  const args = [
    ...[join(SUITE, 'dist/index.js'), 'client', '--command', `${process.execPath} ${CLIENT}`],
    ...['--scenario', scenario, '--spec-version', revision, '--output-dir', folder],
  ];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ scenario, passed: error === null, output: `${stdout}${stderr}` }),
    );
  });
}

// `node clientSets.mjs REVISION [SET] [SCENARIO]` shows what fails.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [revision = '2026-07-28', set = 'scored', only] = process.argv.slice(2);
  const results = only === undefined ? await runClientSet(revision, set) : [await runScenario(only, revision)];
  for (const { scenario, passed, output } of results)
    if (!passed || only !== undefined) console.log(`${scenario}\n${output}`);
  console.log(`${revision} client ${set}: ${results.filter(({ passed }) => passed).length}/${results.length}`);
}

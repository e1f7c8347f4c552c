// Runs the faults of all systems, and prints the table of docs/reliability.md: `node bench/reliability/run.mjs [FAULT…] [--write]`.
// `--write` writes the table and the versions into the page. It installs the peers first, and needs `npm run build`.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { node24 } from '../../scripts/node24.mjs';
import { fail, must, root } from '../../scripts/process.mjs';
import { faults } from './faults.mjs';

const systems = { toolwright: 'Toolwright', aiSdk: 'AI SDK', mastra: 'Mastra', langchain: 'LangChain' };
const here = import.meta.dirname;
const page = join(root, 'docs/reliability.md');
const { node, problem } = node24();
if (node === undefined) fail(problem);
if (!existsSync(join(here, 'node_modules'))) {
  // The SQLite library of LangGraph is compiled for the Node that installs it.
  must('npm ci in bench/reliability', 'npm', ['ci', '--no-audit', '--no-fund'], { cwd: here });
}

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const lines = [`| fault | ${Object.values(systems).join(' | ')} |`, '|---|---|---|---|---|'];
for (const [fault, { title, describe }] of Object.entries(faults)) {
  if (wanted.length > 0 && !wanted.includes(fault)) continue;
  const cells = [];
  for (const system of Object.keys(systems)) cells.push(describe(await observe(system, fault)));
  lines.push(`| ${[title, ...cells].join(' | ')} |`);
  console.log(lines.at(-1).replaceAll(' | ', '\n    '));
}
if (process.argv.includes('--write')) {
  const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  const versions = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  const run = `Run on ${new Date().toISOString().slice(0, 10)} with ${versions.join(', ')}.`;
  const text = readFileSync(page, 'utf8');
  const table = `<!-- faults -->\n\n${lines.join('\n')}\n\n${run}\n\n<!-- end -->`;
  writeFileSync(
    page,
    text.replace(/<!-- faults -->[\s\S]*?<!-- end -->/, () => table),
  );
}

/** Runs the phases of a fault one after the other, each in a process of its own. */
async function observe(system, fault) {
  const folder = mkdtempSync(join(tmpdir(), `reliability-${system}-`));
  try {
    const results = {};
    const isHostile = fault === 'hostile';
    for (const phase of faults[fault].phases) {
      if (isHostile) rmSync(folder, { recursive: true, force: true });
      results[phase] = await runPhase(system, fault, phase, isHostile ? mkdtempSync(`${folder}-`) : folder);
    }
    if (isHostile) return results;
    if (fault === 'prefix') return comparePrefixes(results);
    return results[faults[fault].phases.at(-1)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runPhase(system, fault, phase, folder) {
  const child = join(here, 'child.mjs');
  const options = { timeout: 60_000, maxBuffer: 2 ** 28, cwd: folder };
  const program = system === 'langchain' ? process.execPath : node;
  const outcome = await promisify(execFile)(program, [child, system, fault, phase, folder], options).catch(
    (error) => error,
  );
  if (outcome.signal === 'SIGKILL') return undefined;
  const observed = /^OBSERVED (.*)$/m.exec(outcome.stdout ?? '');
  if (observed !== null) return JSON.parse(observed[1]);
  // The process of a whole run may end, too.
  if (fault === 'hostile') return 'ended the run';
  throw new Error(`${system} ${fault} ${phase}: ${outcome.stderr?.slice(-3_000)}`);
}

/** Compares the last request before a restart with the first request after it. */
function comparePrefixes({ first, same, changed }) {
  const keeps = (before, after) => {
    const [earlier, later] = [before.requests.at(-1), after.requests[0]];
    const isPrefix = earlier.messages.every(
      (message, index) => JSON.stringify(message) === JSON.stringify(later.messages[index]),
    );
    const fixed = ({ system, tools }) => JSON.stringify([system, tools]);
    return isPrefix && fixed(earlier) === fixed(later);
  };
  return { same: keeps(first, same), changed: keeps(same, changed), reported: changed.reported };
}

// `node scripts/samples.mjs`: runs samples/NN-*/main.ts in order. A sample asserts its own result and must end with exit code 0. Its
// output must match its README, if the README shows it. Every request of a conversation must begin with the previous one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAgainstPackages } from './build.mjs';
import { describeCounts, readCounts, sumOf } from '../spec/support/prefixCounts.cjs';
import { capture, fail, root, temporaryFolder } from './process.mjs';

const names = readdirSync(join(root, 'samples'))
  .filter((name) => /^\d\d-/.test(name))
  .sort();
if (names.length === 0) fail('samples/ has no samples.');
await buildAgainstPackages('samples');

/** The desk serves its page until it is ended; with this argument it tells a story instead. */
const argumentsOf = { '40-desk': ['story'] };
const counts = temporaryFolder('prefix');
const preload = `--require ${JSON.stringify(join(root, 'spec/support/countPrefix.cjs'))}`;
const failed = names.filter((name) => {
  const fault = faultOf(name);
  console.log(`${fault === undefined ? 'ok    ' : 'FAILED'} samples/${name}`);
  if (fault !== undefined) console.log(fault);
  return fault !== undefined;
});
const all = sumOf(names.map((name) => readCounts(join(counts, name))));
console.log(describeCounts(all));
console.log(`samples: ${names.length - failed.length} passed, ${failed.length} failed`);
// Without any request, nothing was checked.
process.exitCode = failed.length === 0 && all.requests > 0 ? 0 : 1;

/** Describes a failure of a sample for the console; undefined if there is none. */
function faultOf(name) {
  const main = `build/samples/${name}/main.js`;
  if (!existsSync(join(root, main))) return 'It has no main.ts.';
  const folder = join(counts, name);
  const { NODE_OPTIONS: given = '' } = process.env;
  const env = { NODE_OPTIONS: `${given} ${preload}`.trim(), PREFIX_COUNTS: folder };
  const { ok, stdout, output } = capture(process.execPath, [main, ...(argumentsOf[name] ?? [])], { env });
  if (!ok) return output;
  const { changedBytes } = readCounts(folder);
  if (changedBytes > 0) return `A request does not begin with the previous one: ${changedBytes} changed bytes.`;
  const told = readPromisedOutput(name) ?? stdout;
  return told.trim() === stdout.trim() ? undefined : `Its README says otherwise. It prints:\n${stdout}`;
}

/** Reads the block under "It prints" in the README of a sample; undefined if there is none. */
function readPromisedOutput(name) {
  const readme = join(root, 'samples', name, 'README.md');
  const text = existsSync(readme) ? readFileSync(readme, 'utf8') : '';
  return /It prints\b.*?^```text\n(.*?)^```$/ms.exec(text)?.[1];
}

// `npm run -w @toolwright/ui conformance`: rows of the protocols against the real clients, on Node 24. Needs a build.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { node24 } from '../../../scripts/node24.mjs';

const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  const { node, problem } = node24();
  if (node === undefined) throw new Error(problem);
  const { status } = spawnSync(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exit(status ?? 1);
}

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
console.log(`ui: ${run} rows, ${held} held`);
process.exit(held === run ? 0 : 1);

/** Rejects after ten seconds: a row that waits for something that never comes does not hold. */
function giveUp() {
  const TEN_SECONDS = 10_000;
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('It did not end within ten seconds.')), TEN_SECONDS).unref();
  });
}

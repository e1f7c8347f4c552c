// `npm run bench`: installs the peers and runs every bench/*.bench.ts in turn, on Node 24, or only the benches named after `--`
// (`npm run bench -- dispatch`). `--alone` leaves the peers out; `--write` writes the figures into docs/benchmarks.md.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writePage } from './page.mjs';
import { installPeers } from './installPeers.mjs';
import { buildAgainstPackages } from '../scripts/build.mjs';
import { node24 } from '../scripts/node24.mjs';
import { fail, root, run } from '../scripts/process.mjs';

const suffix = '.bench.ts';
const folder = join(root, 'bench');
const isAlone = process.argv.includes('--alone');
const isWriting = process.argv.includes('--write');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const names = readdirSync(folder)
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .sort();
if (names.length === 0)
  fail(`No benchmark matches: looked for bench/*${suffix}${wanted.length > 0 ? ` named ${wanted.join(', ')}` : ''}.`);

const { node, problem } = node24();
if (node === undefined) fail(problem);
if (!isAlone) installPeers(node);
await buildAgainstPackages('bench');
const env = isAlone ? { BENCH_ALONE: '1' } : {};
const codes = names.map((name) => {
  console.log(`\n${name}`);
  return run(node, ['--expose-gc', `build/bench/${name}.bench.js`], { env });
});
if (isWriting) writePage();
process.exitCode = Math.max(...codes);

// `npm run bench`: installs the peers and runs every bench/*.bench.ts in turn, or only those named after `--`
// (`npm run bench -- dispatch`). `--alone` leaves the peers out; `--write` puts the figures into docs/benchmarks.md.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writePage } from './bench-page.mjs';
import { buildAgainstPackage } from './build.mjs';
import { fail, must, root, run } from './process.mjs';
import { fingerprint, isFresh, writeStamp } from './stamp.mjs';

const suffix = '.bench.ts';
const folder = join(root, 'bench');
/** Packages of peers that need a newer Node than the one that runs this bring it along, for these benches. */
const newer = { 'code-mode': 'bench/node22' };
const isAlone = process.argv.includes('--alone');
const isWriting = process.argv.includes('--write');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const names = readdirSync(folder)
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .sort();
if (names.length === 0)
  fail(`No benchmark fits: looked for bench/*${suffix}${wanted.length > 0 ? ` named ${wanted.join(', ')}` : ''}.`);

if (!isAlone) for (const place of ['bench', ...names.flatMap((name) => newer[name] ?? [])]) installPeers(place);
await buildAgainstPackage('bench');
const env = isAlone ? { BENCH_ALONE: '1' } : {};
const codes = names.map((name) => {
  console.log(`\n${name}`);
  return run(nodeFor(name), ['--expose-gc', `build/bench/${name}.bench.js`], { env });
});
if (isWriting) writePage();
process.exitCode = Math.max(...codes);

/** Alone, everything runs on the Node that is here. */
function nodeFor(name) {
  const place = isAlone ? undefined : newer[name];
  return place === undefined ? process.execPath : join(root, place, 'node_modules/node/bin/node');
}

/** Some peers are compiled while they are installed, which takes a minute. */
function installPeers(place) {
  const stamp = `${place}/node_modules/.toolwright-stamp`;
  const state = fingerprint([`${place}/package-lock.json`], process.platform, process.arch, process.versions.modules);
  if (existsSync(join(root, place, 'node_modules')) && isFresh(stamp, state)) return;
  console.log(`Installing the peers in ${place} …`);
  must(`npm ci in ${place}`, 'npm', ['ci', '--no-audit', '--no-fund'], { cwd: join(root, place) });
  writeStamp(stamp, state);
}

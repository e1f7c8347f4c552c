// `npm run bench`: runs every bench/*.bench.ts in turn, or only those named after `--` (`npm run bench -- dispatch`).
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildAgainstPackage } from './build.mjs';
import { fail, root, run } from './process.mjs';

const suffix = '.bench.ts';
const folder = join(root, 'bench');
const wanted = process.argv.slice(2);
const names = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .sort();
if (names.length === 0)
  fail(`No benchmark fits: looked for bench/*${suffix}${wanted.length > 0 ? ` named ${wanted.join(', ')}` : ''}.`);

buildAgainstPackage('bench');
const codes = names.map((name) => run(process.execPath, ['--expose-gc', `build/bench/${name}.bench.js`]));
process.exitCode = Math.max(...codes);

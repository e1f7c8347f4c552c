// Installs the runtimes of this folder in a folder of their own: they take half a gigabyte, and only one spec needs them.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { node24 } from '../../../scripts/node24.mjs';
import { capture, root } from '../../../scripts/process.mjs';

const source = import.meta.dirname;
const folder = join(root, 'build/runtimes');

/** Installs the runtimes unless they are installed, and prints their commands as JSON by name, or fails with the message of npm. */
const found = node24();
if (found.problem !== undefined) throw new Error(found.problem);
mkdirSync(folder, { recursive: true });
const stamp = join(folder, 'installed.json');
const wanted = readFileSync(join(source, 'package-lock.json'), 'utf8');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(source, file), join(folder, file));
  const { ok, output } = capture('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
  if (!ok) throw new Error(`npm ci of spec/toolchain/runtimes failed:\n${output}`);
  copyFileSync(join(source, 'package-lock.json'), stamp);
}
const modules = join(folder, 'node_modules');
process.stdout.write(
  JSON.stringify({
    'Node 20': [join(modules, 'node20/bin/node')],
    'Node 22': [join(modules, 'node22/bin/node')],
    'Node 24': [found.node],
    'Node 26': [join(modules, 'node26/bin/node')],
    Bun: [join(modules, '.bin/bun')],
    Deno: [join(modules, '.bin/deno'), 'run', '--allow-all', '--quiet'],
    workerd: [join(modules, '.bin/workerd')],
  }),
);

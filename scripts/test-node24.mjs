// `npm run test:node24`: runs the tests on Node 24, which comes from npm. Arguments after `--` are for jest.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { must, root, run } from './process.mjs';

const version = '24.21.0';
const isWindows = process.platform === 'win32';
const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
const folder = join(root, `build/node-${version}`);
const node = join(folder, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');

if (!existsSync(node)) {
  mkdirSync(folder, { recursive: true });
  must(`npm install ${name}`, 'npm', ['install', '--no-save', '--prefix', folder, `${name}@${version}`]);
}
process.exitCode = run(node, ['scripts/test.mjs', ...process.argv.slice(2)]);

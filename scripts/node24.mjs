// Installs Node 24 from npm, for tasks that need a newer Node than this process.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { capture, root } from './process.mjs';

const VERSION = '24.21.0';

/** Installs Node 24 if it is missing. Returns its path, or the problem if npm fails. */
export function node24() {
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const folder = join(root, `build/node-${VERSION}`);
  const node = join(folder, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(node)) return { node };
  mkdirSync(folder, { recursive: true });
  const { ok, output } = capture('npm', ['install', '--no-save', '--prefix', folder, `${name}@${VERSION}`]);
  return ok ? { node } : { problem: `npm install ${name}@${VERSION} failed:\n${output}` };
}

/** Returns a Node for pg-boss 12, which needs 22.12 or newer: this one, or Node 24. */
export function newNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 12) ? { node: process.execPath } : node24();
}

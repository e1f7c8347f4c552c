// Node 24 from npm, for what the Node of this process is too old for.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { capture, root } from './process.mjs';

const VERSION = '24.21.0';

/** Installs Node 24 if it is not there; returns its path, or the problem if npm cannot. */
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

/** A Node that pg-boss 12 runs on, 22.12 or newer: this one, or Node 24. */
export function newNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 12) ? { node: process.execPath } : node24();
}

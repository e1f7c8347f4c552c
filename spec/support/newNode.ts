import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/**
 * Returns a Node of version 22.12 or newer, for packages that need it: this one, or the one that `npm test -- --node24` installs;
 * undefined without.
 */
export function newNode(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const path = join(root, 'build/node-24.21.0/node_modules', name, 'bin/node');
  return existsSync(path) ? path : undefined;
}

// Installs the dependencies unless node_modules matches the lock file. Prints nothing on success.
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { must, root } from './process.mjs';

export function bootstrap() {
  if (!isLinked('node_modules') && !isInstalled()) must('npm ci', 'npm', ['ci', '--no-audit', '--no-fund']);
}

/** Checks for a linked folder. It belongs to another tree, and `npm ci` would delete it there. */
function isLinked(folder) {
  return lstatSync(join(root, folder), { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Compares the lock file with the one that npm writes into `node_modules` after an installation. */
function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules/.package-lock.json');
  const names = new Set([...Object.keys(wanted), ...Object.keys(installed)]);
  // A missing optional package is for another platform. The entry without a name is the project itself.
  return [...names].every(
    (name) =>
      name === '' ||
      installed[name]?.version === wanted[name]?.version ||
      (installed[name] === undefined && wanted[name].optional === true),
  );
}

function packagesOf(lockFile) {
  const path = join(root, lockFile);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}

if (process.argv[1] === import.meta.filename) bootstrap();

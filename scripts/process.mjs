// Runs other programs from the repository's root.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folders that are removed when this process ends. */
const temporary = [];

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program with inherited input and output. Returns its exit code. */
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

/** Runs a program and returns its output, so that the caller decides whether to print it. Kills it after `timeout` ms. */
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

/** Runs a program silently. If it fails, prints its output and ends this process. */
export function must(what, program, args, options) {
  const { ok, output } = capture(program, args, options);
  if (!ok) fail(`${what} failed:\n${output}`);
}

/** Prints the message and ends this process with exit code 1. */
export function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Creates a temporary folder that is removed when this process ends. */
export function temporaryFolder(name) {
  return removeAtExit(mkdtempSync(join(tmpdir(), `toolwright-${name}-`)));
}

/** Removes a folder when this process ends, in any way. Returns the folder. */
export function removeAtExit(folder) {
  if (temporary.length === 0)
    process.on('exit', () => temporary.forEach((each) => rmSync(each, { recursive: true, force: true })));
  temporary.push(folder);
  return folder;
}

/** Checks for a program that only a shell can start: npm is a batch file on Windows. */
function needsShell(program) {
  return process.platform === 'win32' && program === 'npm';
}

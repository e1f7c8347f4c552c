import { lazy } from './lazy.js';

// To import them, or node:process with all that hangs on it, takes each process that imports Toolwright 6 ms; only some ask
// for them, and none before it does something.

/** The process that this is, read when it is asked for: its environment, number and platform. */
export const host = globalThis.process;
/** node:crypto, loaded when it is first asked for. */
export const crypto = lazy(() => host.getBuiltinModule('node:crypto'));
/** node:util, loaded when it is first asked for: an `import` reads all that it holds, `parseArgs` and MIME types included. */
export const util = lazy(() => host.getBuiltinModule('node:util'));
/** node:child_process, loaded when it is first asked for. */
export const childProcess = lazy(() => host.getBuiltinModule('node:child_process'));

/** A random UUID, version 4. */
export function randomId(): string {
  return crypto().randomUUID();
}

/** The SHA-256 of a text, in hexadecimal digits. */
export function sha256(text: string): string {
  return crypto().createHash('sha256').update(text).digest('hex');
}

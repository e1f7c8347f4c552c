import { memoize } from './memoize.js';

// Importing these modules, or node:process with its dependencies, costs every process that imports Toolwright 6 ms.
// Only some processes need them, and never at import time.

/** The current process: its environment, id and platform. */
export const host = globalThis.process;
/** Node's own functions, read when the package is loaded. If tests replace timers, the next turn may never come. */
export const [inNextTurn, afterPromises] = [setImmediate, host.nextTick.bind(host)];
/** node:crypto, loaded on first use. */
export const crypto = memoize(() => host.getBuiltinModule('node:crypto'));
/** node:util, loaded on first use. An `import` would also load everything else in it, such as `parseArgs` and MIME types. */
export const util = memoize(() => host.getBuiltinModule('node:util'));
/** node:events, loaded on first use. */
export const events = memoize(() => host.getBuiltinModule('node:events'));
/** node:child_process, loaded on first use. */
export const childProcess = memoize(() => host.getBuiltinModule('node:child_process'));
/** node:diagnostics_channel, loaded on first use. */
export const diagnosticsChannel = memoize(() => host.getBuiltinModule('node:diagnostics_channel'));

/** Milliseconds that only grow. The first `performance.now()` of a process loads node:perf_hooks, which takes 2 ms and 1 MB. */
export function readMonotonicMs(): number {
  const [seconds, nanoseconds] = host.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** A random UUID, version 4. */
export function randomId(): string {
  return crypto().randomUUID();
}

/** The SHA-256 of a text, in hexadecimal digits. */
export function sha256(text: string): string {
  // Half the time of a `Hash` object.
  return crypto().hash('sha256', text);
}

import type { Writable } from 'node:stream';

/** The output of a process that is reserved for one writer. */
export interface GuardedOutput<T extends Writable> {
  /** For the one writer. */
  readonly output: T;
  /** Gives the output back to everything else. */
  readonly restore: () => void;
}

/**
 * Reserves an output for one writer, such as a protocol or the result of a command. Text that anything else writes or ends it with,
 * such as `console.log` of a user's module, goes to another output.
 *
 * @param onFirst is called when something was redirected for the first time
 */
export function guardOutput<T extends Writable>(output: T, instead: Writable, onFirst: () => void): GuardedOutput<T> {
  // Bound, since the stream itself has other methods from here on.
  const original = { write: output.write.bind(output), end: output.end.bind(output) };
  let isReported = false;
  const write = (...given: Parameters<Writable['write']>): boolean => {
    if (!isReported) {
      isReported = true;
      onFirst();
    }
    return instead.write(...given);
  };
  const end = (...given: readonly unknown[]): Writable => {
    const [text] = given;
    if (typeof text === 'string' || text instanceof Uint8Array) write(text, 'utf8');
    const done = given.find((each): each is () => void => typeof each === 'function');
    // The output stays open for its writer; the code that ended it waits for nothing else.
    if (done !== undefined) queueMicrotask(done);
    return output;
  };
  const restores = [replaceMethod(output, 'write', write), replaceMethod(output, 'end', end)];
  const guarded = new Proxy(output, {
    get: (target, key): unknown => {
      if (key === 'write' || key === 'end') return original[key];
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return {
    output: guarded,
    restore: () => {
      for (const restore of restores) restore();
    },
  };
}

/** Replaces a method of one object; the returned function puts the old one back. */
function replaceMethod(target: Writable, name: 'write' | 'end', method: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value: method, writable: true, configurable: true });
  return () => {
    // A method that was put there since stays: removing it is up to the code that did so.
    if (target[name] !== method) return;
    if (own === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, own);
  };
}

import type { Writable } from 'node:stream';

/** The output of a process while a protocol has it. */
export interface GuardedOutput {
  /** For the protocol. */
  readonly output: Writable;
  /** Gives the output back to everything else. */
  readonly restore: () => void;
}

/**
 * Keeps an output for a protocol: what anything else writes to it, such as `console.log` in a handler, goes to another one.
 *
 * @param onFirst is called when something was redirected for the first time
 */
export function guardOutput(output: Writable, instead: Writable, onFirst: () => void): GuardedOutput {
  const own = Object.getOwnPropertyDescriptor(output, 'write');
  // Bound, since the stream itself has another method from here on.
  const write = output.write.bind(output);
  let isReported = false;
  const redirected = (...given: Parameters<Writable['write']>): boolean => {
    if (!isReported) {
      isReported = true;
      onFirst();
    }
    return instead.write(...given);
  };
  Object.defineProperty(output, 'write', { value: redirected, writable: true, configurable: true });
  const protocol = new Proxy(output, {
    get: (target, key): unknown => {
      if (key === 'write') return write;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return {
    output: protocol,
    restore: () => {
      // A method that was put there since stays: removing it is up to the code that did so.
      if (output.write !== redirected) return;
      if (own === undefined) Reflect.deleteProperty(output, 'write');
      else Object.defineProperty(output, 'write', own);
    },
  };
}

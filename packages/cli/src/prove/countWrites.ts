import { failAtWrite, InjectedFailure } from 'toolwright/testing';
import type { ResourceBinding } from 'toolwright/resources';
import { rebind, type Bench } from './Bench.js';

/** Returns bindings of the resources of which the n-th write of a call throws. */
export async function failResources(bench: Bench, n: number): Promise<readonly ResourceBinding[]> {
  const listed = await bench.listResources();
  return listed.flatMap(({ binding, resource }) => {
    try {
      return [rebind(binding, failAtWrite(resource as object, n, { fewerWrites: 'kept' }))];
    } catch {
      // It has no transactions, or none of its methods has the name of a write.
      return [];
    }
  });
}

interface Writer {
  dispatch(event: object): void;
  write(...args: readonly unknown[]): void;
}

/** Lets the n-th write of a call to the session throw after it was done. */
export function failSession(bench: Bench, n: number): void {
  let count = 0;
  let depth = 0;
  bench.intercept(async ({ context }, next) => {
    const session = context.session as unknown as Writer;
    for (const name of ['dispatch', 'write'] as const) {
      const original = session[name].bind(session) as (...args: readonly unknown[]) => void;
      Object.defineProperty(session, name, {
        value: (...args: readonly unknown[]): void => {
          depth++;
          try {
            original(...args);
          } finally {
            depth--;
          }
          // A dispatched event writes the slices of its reducers: that is one write of the handler.
          if (depth === 0 && ++count === n)
            throw new InjectedFailure(`injected after write ${String(n)} of the session`);
        },
      });
    }
    await next();
  });
}

export function isInjected(error: unknown): boolean {
  return (error as { readonly name?: unknown } | null | undefined)?.name === 'InjectedFailure';
}

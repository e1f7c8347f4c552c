import type { CompletionChecker, CompletionVerdict, RunScope } from 'toolwright/policies';
import type { Filesystem } from 'toolwright/resources';

/** A scope that has files, or none, and remembers what was logged. */
export function scopeOf(filesystem: Filesystem | null = null): RunScope & { readonly warnings: string[] } {
  const warnings: string[] = [];
  const logger = { debug() {}, info() {}, warn: (message: string) => void warnings.push(message), error() {} };
  return { filesystem, logger, warnings } as unknown as RunScope & { readonly warnings: string[] };
}

/** A checker that always returns the same, and counts its calls. */
export function checkerOf(
  verdict: CompletionVerdict | Error,
  name = 'stub',
): CompletionChecker & { readonly asked: () => number } {
  let asked = 0;
  return {
    name,
    asked: () => asked,
    check() {
      asked++;
      if (verdict instanceof Error) throw verdict;
      return verdict;
    },
  };
}

export const YES: CompletionVerdict = { complete: true };
export const no = (feedback: string): CompletionVerdict => ({ complete: false, feedback });

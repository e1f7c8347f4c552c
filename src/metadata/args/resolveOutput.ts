import { resolveClass } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import { describeValue } from '../../common/text.js';
import type { Constructor } from '../../common/types.js';
import type { OutputContainer } from '../OutputMetadata.js';

/** The class that an output refers to, or the fault of the reference. */
export type ResolvedOutput =
  | { readonly type: Constructor; readonly container: OutputContainer }
  | { readonly code: 'E307' | 'E312'; readonly problem: string };

/** Resolves the class of an output option, which may be any value in JavaScript. */
export function resolveOutput(reference: unknown): ResolvedOutput {
  const isList = isObject(reference) && Object.keys(reference).join() === 'array';
  const named = isList ? (reference as { readonly array: unknown }).array : reference;
  if (named !== undefined && typeof named !== 'function') {
    const problem = `output: expected a class, a thunk of one, or { array: X } with one, got ${describeValue(reference)}`;
    return { code: 'E312', problem };
  }
  const type = resolveClass(named);
  if (type === undefined) return { code: 'E307', problem: 'the class in output was undefined when it was read' };
  return { type, container: isList ? 'array' : 'object' };
}

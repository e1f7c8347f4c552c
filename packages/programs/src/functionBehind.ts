import type { Constructor } from 'toolwright';

/** Any function. */
export type AnyFunction = (...args: never[]) => unknown;

const functions = new WeakMap<Constructor, AnyFunction>();

/** The function from which `toolFrom` created the tool; undefined for any other tool. */
export function functionBehind(tool: Constructor): AnyFunction | undefined {
  return functions.get(tool);
}

/** Records the function from which a tool was created. */
export function noteFunction(tool: Constructor, fn: AnyFunction): void {
  functions.set(tool, fn);
}

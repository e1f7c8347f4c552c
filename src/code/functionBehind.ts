import type { Constructor } from '../common/types.js';

/** Any function. */
export type AnyFunction = (...args: never[]) => unknown;

const functions = new WeakMap<Constructor, AnyFunction>();

/** The function that `toolFrom` made a tool of; undefined for any other tool. */
export function functionBehind(tool: Constructor): AnyFunction | undefined {
  return functions.get(tool);
}

/** Notes of which function a tool was made. */
export function noteFunction(tool: Constructor, fn: AnyFunction): void {
  functions.set(tool, fn);
}

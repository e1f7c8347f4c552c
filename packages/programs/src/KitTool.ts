import type { JsonSchema, RenderedTool, Constructor } from 'toolwright';
import type { ToolMetadata } from 'toolwright/types';
import { findArgs, writeShapeSchema } from 'toolwright/internal';
import { writeDeclarations } from './declare/writeDeclarations.js';

/** A tool of a toolkit. Calling it calls the plain function or method behind it, without checks and without a transaction. */
export interface KitTool {
  (...args: readonly unknown[]): unknown;
  /** The name on the wire. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: JsonSchema;
  /** The declaration as programs see it, result included. */
  readonly signature: string;
  /** Null if no result is declared. */
  readonly returnSchema: JsonSchema | null;
  /** The function itself, or the method bound to its instance; null for a tool that only advertises. */
  readonly fn: AnyFunction | null;
  readonly metadata: ToolMetadata;
}

/**
 * Creates the callable of a tool, with its metadata as properties.
 *
 * @internal
 */
export function createKitTool({ metadata, owner }: RenderedTool): KitTool {
  const { name, description, schema, result, returnSchema } = metadata;
  const fn = findPlainFunction(metadata, owner);
  const callable = (...args: readonly unknown[]): unknown => fn?.(...(args as never[]));
  return Object.defineProperties(callable, {
    name: { value: name },
    description: { value: description, enumerable: true },
    parameters: { value: schema, enumerable: true },
    signature: { get: () => writeDeclarations([metadata], { results: true }), enumerable: true },
    returnSchema: { value: returnSchema ?? (result === null ? null : writeShapeSchema(result)), enumerable: true },
    fn: { value: fn, enumerable: true },
    metadata: { value: metadata },
  }) as KitTool;
}

function findPlainFunction({ member, owner: type }: ToolMetadata, owner: object): AnyFunction | null {
  if (member === undefined) return findFunction(type) ?? findArgs(type)?.definedHandler ?? null;
  const method: unknown = Reflect.get(owner, member);
  return typeof method === 'function' ? (method.bind(owner) as AnyFunction) : null;
}

/** Any function. */
export type AnyFunction = (...args: never[]) => unknown;

const functions = new WeakMap<Constructor, AnyFunction>();

/** Returns the function from which `toolFrom` created the tool; undefined for any other tool. */
function findFunction(tool: Constructor): AnyFunction | undefined {
  return functions.get(tool);
}

/** Records the function from which a tool was created. */
export function noteFunction(tool: Constructor, fn: AnyFunction): void {
  functions.set(tool, fn);
}

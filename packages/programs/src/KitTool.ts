import type { JsonSchema, RenderedTool } from 'toolwright';
import type { ToolMetadata } from 'toolwright/types';
import { knownArgs, schemaOf } from 'toolwright/internal';
import { declarationsOf } from './declare/declarationsOf.js';
import { functionBehind, type AnyFunction } from './functionBehind.js';

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
export function kitTool({ metadata, owner }: RenderedTool): KitTool {
  const { name, description, schema, result, returnSchema } = metadata;
  const fn = plainFunction(metadata, owner);
  const callable = (...args: readonly unknown[]): unknown => fn?.(...(args as never[]));
  return Object.defineProperties(callable, {
    name: { value: name },
    description: { value: description, enumerable: true },
    parameters: { value: schema, enumerable: true },
    signature: { get: () => declarationsOf([metadata], { results: true }), enumerable: true },
    returnSchema: { value: returnSchema ?? (result === null ? null : schemaOf(result)), enumerable: true },
    fn: { value: fn, enumerable: true },
    metadata: { value: metadata },
  }) as KitTool;
}

function plainFunction({ member, owner: type }: ToolMetadata, owner: object): AnyFunction | null {
  if (member === undefined) return functionBehind(type) ?? knownArgs(type)?.definedHandler ?? null;
  const method: unknown = Reflect.get(owner, member);
  return typeof method === 'function' ? (method.bind(owner) as AnyFunction) : null;
}

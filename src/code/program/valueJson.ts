import type { TypeShape } from '../../metadata/ClassShape.js';
import { needsType, type Serialiser } from '../../schema/serialise.js';
import type { ToolResult } from '../../value/ToolResult.js';

/** What a program gets of a result, as JSON: the value, by the names on the wire; its message where there is no value. */
export function valueJson({ value, message }: ToolResult, serialiser: Serialiser, declared: TypeShape | null): string {
  if (value === null || value === undefined) return message === '' ? 'null' : JSON.stringify(message);
  const type = declared !== null && needsType(declared) ? declared : undefined;
  return JSON.stringify(serialiser.toPlain(value, { type }));
}

import type { JsonSchema } from 'toolwright';
import { findTextExcess, MAX_EXTENT, tooWide } from 'toolwright/internal';
import { isRecord } from 'toolwright/internal/light';

/** The arguments of a program's call by name, or the reason why they cannot be named. */
export interface NamedArguments {
  readonly args: Readonly<Record<string, unknown>>;
  readonly problem: string | undefined;
}

/**
 * Names the arguments of a call. A single plain object holds them by name; any other arguments are positional, in the order of the
 * tool's parameters.
 *
 * @param json an array, as JSON text
 */
export function nameArguments(json: string, schema: JsonSchema): NamedArguments {
  // Counts in the text: parsing a megabyte of small objects would hold the event loop for too long.
  if (findTextExcess(json, MAX_EXTENT) === 'values') return { args: {}, problem: tooWide.message };
  const given = JSON.parse(json) as readonly unknown[];
  const [first] = given;
  if (given.length === 0) return { args: {}, problem: undefined };
  if (given.length === 1 && isRecord(first)) return { args: first, problem: undefined };
  const names = Object.keys(schema['properties'] ?? {});
  const args = Object.fromEntries(given.map((value, index) => [names[index] ?? String(index), value]));
  if (given.length <= names.length) return { args, problem: undefined };
  const takes = names.length === 0 ? 'no arguments' : `the arguments ${names.join(', ')}`;
  return { args, problem: `it takes ${takes}, and got ${String(given.length)} of them` };
}

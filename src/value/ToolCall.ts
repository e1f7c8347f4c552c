import { brand } from '../common/brand.js';
import { isRecord } from '../common/guards.js';
import { getOrCreate } from '../common/memoize.js';

/** A tool call as the model made it. */
export interface ToolCall {
  /** The provider's id of the call, unique within one turn. */
  readonly id: string;
  /** The name of the tool as advertised. */
  readonly name: string;
  /** JSON text as sent by the provider, or an already parsed object; `null` and `''` mean `{}`. */
  readonly arguments: string | Readonly<Record<string, unknown>> | null;
  /**
   * The tool that the model named on the wire, if it reached this tool through another one, such as a bridge to closed
   * tools.
   */
  readonly wireName?: string | undefined;
}

/** The caller of a tool. `direct` is the model, a host or a handler; `program` is a program that the model wrote. */
export type ToolCaller = 'direct' | 'program';

/** The callers allowed by default. */
export const everyCaller: readonly ToolCaller[] = Object.freeze(['direct', 'program']);

/** How to treat a call that began in a process which has ended, and that cannot be repeated safely. */
export type UnknownCallPolicy = 'fail' | 'repeat' | 'ask';

/**
 * Returns, for each call of an answer, the position of the first equal call: a provider may send a call twice. Two
 * calls that share only their id are different calls.
 */
export function findFirstPositions(calls: readonly ToolCall[]): readonly number[] {
  if (new Set(calls.map(({ id }) => id)).size === calls.length) return calls.map((_call, position) => position);
  const first = new Map<string, number>();
  return calls.map(({ id, name, arguments: args }, position) =>
    getOrCreate(first, JSON.stringify([id, name, args]), () => position),
  );
}

/** Returns the arguments of a call that other code has read: text and objects unchanged, any other value as JSON text. */
export function readArguments(given: unknown): ToolCall['arguments'] {
  if (given === null || given === undefined) return null;
  return typeof given === 'string' || isRecord(given) ? given : JSON.stringify(given);
}

/** A deviation of a model's arguments from the schema that has only one possible meaning (docs/failures.md). */
export type RepairKind =
  'code-fence' | 'trailing-comma' | 'double-encoding' | 'single-value' | 'number-text' | 'boolean-text';

/** One repair of the arguments of a call: the fault and its place. */
export interface ArgumentRepair {
  /** Path of the value in the names that the model uses, e.g. `items[3].qty`; empty for the whole arguments. */
  readonly path: string;
  readonly kind: RepairKind;
}

/**
 * How to treat arguments that a model wrote almost correctly: refuse them, repair them, or refuse them with the
 * corrected ones.
 */
export type RepairMode = 'off' | 'on' | 'report';

/** Replaces the params of a call with refused arguments in events. Holds the parsed value, or the text as received. */
export class RejectedToolParams {
  constructor(readonly rawArguments: unknown) {}
}
brand(RejectedToolParams, 'RejectedToolParams');

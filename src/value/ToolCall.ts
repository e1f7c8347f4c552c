import { brand } from '../common/brand.js';

/** A tool call as the model made it. */
export interface ToolCall {
  /** The provider's id of the call, unique within one turn. */
  readonly id: string;
  /** The name of the tool as advertised. */
  readonly name: string;
  /** JSON text as sent by the provider, or an already parsed object; `null` and `''` mean `{}`. */
  readonly arguments: string | Readonly<Record<string, unknown>> | null;
  /** The tool that the model named on the wire, if it reached this one through another, such as a bridge to closed tools. */
  readonly wireName?: string | undefined;
}

/** The caller of a tool: `direct` is the model, a host or a handler; `program` is a program that the model wrote. */
export type ToolCaller = 'direct' | 'program';

/** The callers allowed by default. */
export const everyCaller: readonly ToolCaller[] = Object.freeze(['direct', 'program']);

/** What happens to a call that began in a process that ended, and whose effects cannot be repeated safely. */
export type UnknownCallPolicy = 'fail' | 'repeat' | 'ask';

/**
 * Returns, for each call of an answer, the position of the first one that is the same: a provider may send a call twice. Two calls that
 * only share an id are two.
 */
export function findFirstPositions(calls: readonly ToolCall[]): readonly number[] {
  if (new Set(calls.map(({ id }) => id)).size === calls.length) return calls.map((_call, position) => position);
  const first = new Map<string, number>();
  return calls.map(({ id, name, arguments: args }, position) => {
    const identity = JSON.stringify([id, name, args]);
    const at = first.get(identity) ?? position;
    first.set(identity, at);
    return at;
  });
}

/** What of a model's arguments was not as the schema says, and has one meaning only (docs/failures.md). */
export type RepairKind =
  'code-fence' | 'trailing-comma' | 'double-encoding' | 'single-value' | 'number-text' | 'boolean-text';

/** One repair of the arguments of a call: what was wrong, and where. */
export interface ArgumentRepair {
  /** Path of the value, in the names that the model uses: `items[3].qty`; empty for the arguments as a whole. */
  readonly path: string;
  readonly kind: RepairKind;
}

/** What happens to arguments that a model wrote almost right: they are refused, repaired, or refused with the right ones. */
export type RepairMode = 'off' | 'on' | 'report';

/** Replaces the params in an event whose arguments were refused: holds the parsed value, or the text as received. */
export class RejectedToolParams {
  constructor(readonly rawArguments: unknown) {}
}
brand(RejectedToolParams, 'RejectedToolParams');

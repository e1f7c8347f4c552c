import { readSchemaShape } from '../../builder/readSchemaShape.js';
import { isRecord } from '../../common/guards.js';
import type { TypeShape } from '../../metadata/ClassShape.js';
import type { ToolMetadata } from '../../metadata/ToolMetadata.js';
import { checkInTime } from '../../schema/pattern/checkInTime.js';
import { findDepthIssue, findTextIssue } from '../../schema/limits.js';
import { readAlmostJson } from '../../schema/repair/readAlmostJson.js';
import { ValueRepair } from '../../schema/repair/ValueRepair.js';
import type { ArgumentRepair, ToolCall } from '../../value/ToolCall.js';

/** Arguments that were almost right: what was meant, what that parses into, and what was repaired. */
export interface RepairedArguments {
  readonly meant: Readonly<Record<string, unknown>>;
  readonly params: unknown;
  readonly repairs: readonly ArgumentRepair[];
}

/**
 * Repairs arguments that were refused, where they have one meaning only and then fit the tool completely; undefined otherwise.
 * Called for refused arguments alone, so that right ones cost nothing.
 *
 * @param spentMs milliseconds that it took to refuse them
 */
export function repairArguments(
  tool: ToolMetadata,
  given: ToolCall['arguments'],
  spentMs: number,
): RepairedArguments | undefined {
  const repairs: ArgumentRepair[] = [];
  let value: unknown = given;
  // The arguments as text, then, where that text was JSON of a text, that one.
  for (let times = 0; typeof value === 'string' && times < 2; times++) {
    const read = findTextIssue(value) === undefined ? readAlmostJson(value) : undefined;
    if (read === undefined) return undefined;
    if (times > 0) repairs.push({ path: '', kind: 'double-encoding' });
    repairs.push(...read.kinds.map((kind) => ({ path: '', kind })));
    value = read.value;
  }
  if (!isRecord(value) || findDepthIssue(value) !== undefined) return undefined;
  // Rules of others decide what a value may have meant.
  return checkInTime(() => repairValue(tool, value, repairs), spentMs);
}

function repairValue(
  tool: ToolMetadata,
  value: object,
  before: readonly ArgumentRepair[],
): RepairedArguments | undefined {
  const repair = new ValueRepair();
  const meant = repair.repairValue(createObjectType(tool), value, '') as RepairedArguments['meant'];
  const repairs = [...before, ...repair.repairs];
  if (repairs.length === 0) return undefined;
  const parsed = tool.parse(meant);
  return parsed.ok ? { meant, params: parsed.value, repairs: Object.freeze(repairs) } : undefined;
}

function createObjectType({ params, schema }: ToolMetadata): TypeShape {
  return params === null ? readSchemaShape(schema) : { kind: 'object', shape: params };
}

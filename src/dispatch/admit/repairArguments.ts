import { readSchemaShape } from '../../builder/readSchemaShape.js';
import { isRecord } from '../../common/guards.js';
import type { TypeShape } from '../../metadata/ClassShape.js';
import type { ToolMetadata } from '../../metadata/ToolMetadata.js';
import { checkInTime, isUnlimited } from '../../schema/pattern/checkInTime.js';
import { findDepthIssue, findTextIssue } from '../../schema/limits.js';
import { readAlmostJson } from '../../schema/repair/readAlmostJson.js';
import { ValueRepair } from '../../schema/repair/ValueRepair.js';
import type { ArgumentRepair, ToolCall } from '../../value/ToolCall.js';

/** The repair of arguments that were almost right: the meant value, the params parsed from it, and the repairs. */
export interface RepairedArguments {
  readonly meant: Readonly<Record<string, unknown>>;
  readonly params: unknown;
  readonly repairs: readonly ArgumentRepair[];
}

/**
 * Repairs refused arguments if they have only one meaning and then match the tool's schema completely; returns undefined
 * otherwise. Called only for refused arguments, so that valid ones cost nothing.
 *
 * @param spentMs milliseconds that refusing them took
 */
export function repairArguments(
  tool: ToolMetadata,
  given: ToolCall['arguments'],
  spentMs: number,
): RepairedArguments | undefined {
  const repairs: ArgumentRepair[] = [];
  let value: unknown = given;
  // A text may hold JSON of a text, which is then read as well.
  for (let times = 0; typeof value === 'string' && times < 2; times++) {
    const read = findTextIssue(value) === undefined ? readAlmostJson(value) : undefined;
    if (read === undefined) return undefined;
    if (times > 0) repairs.push({ path: '', kind: 'double-encoding' });
    repairs.push(...read.kinds.map((kind) => ({ path: '', kind })));
    value = read.value;
  }
  if (!isRecord(value) || findDepthIssue(value) !== undefined) return undefined;
  // Rules written by others decide which values are valid, so they get limited time.
  try {
    return checkInTime(() => repairValue(tool, value, repairs), spentMs);
  } catch (thrown) {
    // The issues of the arguments say more than the limits of the runtime.
    if (isUnlimited(thrown)) return undefined;
    throw thrown;
  }
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

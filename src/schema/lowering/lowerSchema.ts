import { freezePlain } from '../../common/objects.js';
import { describeValue, joinBounded } from '../../common/text.js';
import type { JsonSchema } from '../../common/types.js';
import { createFinding } from '../../error/Finding.js';
import { PromptValidationError } from '../../error/PromptError.js';
import type { OutputSchema, SchemaOptions, SchemaTarget } from '../../interface/ModelAdapter.js';
import { dialects, type Dialect } from './dialects.js';
import { findExceeded } from './findExceeded.js';
import { writeObjectRoot, type LossySchema } from './writeObjectRoot.js';
import { SchemaLowering } from './SchemaLowering.js';
import { describePatterns } from './describePatterns.js';

/** A schema in a provider's dialect; `strict` if it uses the requested strict mode. */
export type LoweredSchema = Omit<OutputSchema, 'name'>;

/**
 * Writes a schema in the dialect of a target (docs/contract.md, 2; docs/schemas.md). Moves keywords that the dialect lacks to
 * descriptions, and uses the plain mode for a schema that the strict mode cannot express. Reports both.
 */
export function lowerSchema(schema: JsonSchema, target: SchemaTarget, options: SchemaOptions = {}): LoweredSchema {
  const { plain, strict } = getDialect(target);
  if (options.strict !== true || strict === undefined) return { ...writeForDialect(schema, plain), strict: false };
  const attempt = writeForDialect(schema, strict);
  const obstacles = attempt.losses.filter(({ became }) => became === 'plain');
  if (obstacles.length === 0) return { ...attempt, strict: true };
  const fallback = writeForDialect(schema, plain);
  return { schema: fallback.schema, strict: false, losses: freezePlain([...obstacles, ...fallback.losses]) };
}

/** Looks up own members only: `toString` is not a dialect. */
function getDialect(target: SchemaTarget): (typeof dialects)[SchemaTarget] {
  if (Object.hasOwn(dialects, target)) return dialects[target];
  const known = joinBounded(Object.keys(dialects));
  const problem = `target is ${describeValue(target)}; one of ${known} is expected`;
  throw new PromptValidationError([createFinding('E312', problem, { place: 'target' })]);
}

function writeForDialect(schema: JsonSchema, dialect: Dialect): LossySchema {
  const rooted = rootSchema(schema, dialect);
  if (dialect.keywords === 'all') return freezePlain(dialect.lookaround ? rooted : describePatterns(rooted));
  const lowering = new SchemaLowering(rooted.schema, dialect);
  const lowered = lowering.lower();
  return freezePlain({
    schema: lowered,
    losses: [...rooted.losses, ...lowering.losses, ...findExceeded(lowered, dialect.limits)],
  });
}

function rootSchema(schema: JsonSchema, { root }: Dialect): LossySchema {
  if (root === 'object without union') return writeObjectRoot(schema);
  const isObject = root === 'anything' || schema['type'] === 'object';
  return { schema: isObject ? schema : { type: 'object', ...schema }, losses: [] };
}

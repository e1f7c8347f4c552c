import { requireOptionNames, type OptionNames } from '../../error/optionNames.js';
import { freezePlain } from '../../common/objects.js';
import type { Constructor, JsonSchema } from '../../common/types.js';
import { getOrCreate } from '../../common/memoize.js';
import type { SchemaOptions, SchemaTarget } from '../../interface/ModelAdapter.js';
import type { ClassShape } from '../../metadata/ClassShape.js';
import { readClass } from '../read/readClass.js';
import { writeClassSchema } from './writeClassSchema.js';
import { lowerSchema } from '../lowering/lowerSchema.js';

/** Options of `schemaOf`. */
export interface SchemaOfOptions extends SchemaOptions {
  /** `json-schema` by default: draft 2020-12 without changes. */
  readonly target?: SchemaTarget | undefined;
}

const optionNames: OptionNames<SchemaOfOptions> = { target: 1, strict: 1 };

const written = new WeakMap<ClassShape, Map<string, JsonSchema>>();

/**
 * Returns the JSON Schema of a params, result or state class, in the dialect of a target; a tool with these params has the same
 * one in its definition (docs/contract.md, 2). Frozen, and the same object each time.
 *
 * @throws PromptValidationError for an invalid class; PromptError E413 for an unknown option
 * @example
 * schemaOf(GetOrderParams);
 * schemaOf(GetOrderParams, { target: 'openai', strict: true });
 */
export function schemaOf(type: Constructor, options: SchemaOfOptions = {}): JsonSchema {
  requireOptionNames('schemaOf', options, optionNames);
  const { target = 'json-schema', strict } = options;
  const shape = readClass(type);
  const own = getOrCreate(written, shape, () => new Map<string, JsonSchema>());
  return getOrCreate(own, `${target} ${String(strict === true)}`, () =>
    freezePlain(lowerSchema(writeClassSchema(shape), target, { strict }).schema),
  );
}

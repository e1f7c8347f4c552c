import { className, isClass } from '../../common/classes.js';
import { getOrCreate } from '../../common/memoize.js';
import type { Constructor } from '../../common/types.js';
import { createFinding } from '../../error/Finding.js';
import { PromptValidationError } from '../../error/PromptError.js';
import type { ClassShape, Parser } from '../../metadata/ClassShape.js';
import { createParser } from '../parse/parser.js';
import type { ParseOptions } from '../parse/ParseOptions.js';
import { readDeclaredPattern } from '../pattern/readDeclaredPattern.js';
import type { PatternReader } from '../rules/Rule.js';
import { ShapeReader, type FieldNames } from './ShapeReader.js';

// Weak, so that classes of tests and of reloaded modules can be collected.
const shapes: Readonly<Record<'as-is' | 'property', WeakMap<Constructor, ClassShape>>> = {
  'as-is': new WeakMap(),
  property: new WeakMap(),
};
const parsers = new WeakMap<ClassShape, Map<string, Parser>>();

/**
 * Reads the shape of a class that is used without an application.
 *
 * @throws PromptValidationError with every fault of the class and the classes that it uses
 */
export function readShape(type: Constructor, names: FieldNames, patterns: PatternReader): ClassShape {
  if (!isClass(type)) {
    const place = className(type);
    throw new PromptValidationError([createFinding('E307', 'a class was expected, got something else', { place })]);
  }
  const reader = new ShapeReader(names, patterns);
  const shape = reader.read(type);
  const [first, ...others] = reader.faults.map(({ found }) => found);
  if (first !== undefined) throw new PromptValidationError([first, ...others]);
  return shape;
}

/** Does the same as `readShape`, but reads each class only once. */
export function readClass(type: Constructor, names: 'as-is' | 'property' = 'as-is'): ClassShape {
  return getOrCreate(shapes[names], type, () => readShape(type, names, readDeclaredPattern));
}

/** Returns the parser of a class for a set of options; the same one each time. */
export function getParser(type: Constructor, { extra = 'forbid', coerce = false }: ParseOptions): Parser {
  const shape = readClass(type);
  const own = getOrCreate(parsers, shape, () => new Map<string, Parser>());
  return getOrCreate(own, `${extra} ${String(coerce)}`, () => createParser(shape, { extra, coerce }));
}

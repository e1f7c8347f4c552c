import type { Constructor } from '../../common/types.js';
import type { ClassShape, Parser } from '../../metadata/ClassShape.js';
import { createParser } from '../parse/parser.js';
import { readDeclaredPattern } from '../pattern/readDeclaredPattern.js';
import { readShape } from './readShape.js';
import type { FieldNames } from './ShapeReader.js';
import type { ParseOptions } from '../parse/ParseOptions.js';

// Weak, so that classes of tests and of reloaded modules can be collected.
const shapes: Readonly<Record<'as-is' | 'property', WeakMap<Constructor, ClassShape>>> = {
  'as-is': new WeakMap(),
  property: new WeakMap(),
};
const parsers = new WeakMap<ClassShape, Map<string, Parser>>();

/**
 * Reads the shape of a class that is used without an application; cached.
 *
 * @throws PromptValidationError with every fault of the class and the classes that it uses
 */
export function readClass(type: Constructor, names: Extract<FieldNames, 'as-is' | 'property'> = 'as-is'): ClassShape {
  const known = shapes[names].get(type);
  if (known !== undefined) return known;
  const shape = readShape(type, names, readDeclaredPattern);
  shapes[names].set(type, shape);
  return shape;
}

/**
 * Creates the parser of a class that is used without an application; cached for each set of options.
 *
 * @throws PromptValidationError
 */
export function getParser(type: Constructor, { extra = 'forbid', coerce = false }: ParseOptions): Parser {
  const shape = readClass(type);
  const own = parsers.get(shape) ?? new Map<string, Parser>();
  parsers.set(shape, own);
  const key = `${extra} ${String(coerce)}`;
  const known = own.get(key);
  if (known !== undefined) return known;
  const parser = createParser(shape, { extra, coerce });
  own.set(key, parser);
  return parser;
}

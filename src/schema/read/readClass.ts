import { getOrCreate } from '../../common/memoize.js';
import type { Constructor } from '../../common/types.js';
import type { ClassShape, Parser } from '../../metadata/ClassShape.js';
import { createParser } from '../parse/parser.js';
import type { ParseOptions } from '../parse/ParseOptions.js';
import { readDeclaredPattern } from '../pattern/readDeclaredPattern.js';
import { readShape } from './readShape.js';

// Weak, so that classes of tests and of reloaded modules can be collected.
const shapes: Readonly<Record<'as-is' | 'property', WeakMap<Constructor, ClassShape>>> = {
  'as-is': new WeakMap(),
  property: new WeakMap(),
};
const parsers = new WeakMap<ClassShape, Map<string, Parser>>();

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

import { className, isClass } from '../../common/classes.js';
import type { Constructor } from '../../common/types.js';
import { createFinding } from '../../error/Finding.js';
import { PromptValidationError } from '../../error/PromptError.js';
import type { ClassShape } from '../../metadata/ClassShape.js';
import type { PatternReader } from '../rules/Rule.js';
import { ShapeReader, type FieldNames } from './ShapeReader.js';

/**
 * Reads the shape of a class that is used without an application. Sessions use it: an import of the root entry reads this file, and not
 * the parser that `readClass` needs.
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

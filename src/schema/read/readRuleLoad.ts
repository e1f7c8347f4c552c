import { MAX_UNION_ATTEMPTS } from '../../common/limits.js';
import type { ClassShape, TypeShape } from '../../metadata/ClassShape.js';
import type { WeightLimit } from './isLight.js';
import { listOwnShapes, listParts, someType } from './typeParts.js';

/** How long the rules of a class, and of the classes in it, may take. */
export interface RuleLoad {
  /** True if the size of a value does not limit the time: rules run foreign code, or unions of classes are nested endlessly. */
  readonly isUnbounded: boolean;
  /** True if a class contains itself. */
  readonly isRecursive: boolean;
  /** The largest value that can be tried against unions within some 15 ms; undefined without unions. */
  readonly limit: WeightLimit | undefined;
  /** True if a rule has a pattern that RE2 matches. */
  readonly hasMatches: boolean;
}

/** Reads the load of a class; its fields may hold other classes in lists, records, tuples and unions. */
export function readRuleLoad(shape: ClassShape): RuleLoad {
  const reader = new LoadReader();
  const attempts = reader.countClassAttempts(shape);
  const { isForeign, isRecursive, isBranching, hasMatches } = reader;
  const isUnbounded = isForeign || (isRecursive && isBranching) || attempts > MAX_UNION_ATTEMPTS;
  const limit = attempts === 1 ? undefined : { value: attempts, character: 0, most: MAX_UNION_ATTEMPTS };
  return { isUnbounded, isRecursive, limit, hasMatches };
}

class LoadReader {
  isForeign = false;
  isRecursive = false;
  /** True if two classes of a union may both be tried. */
  isBranching = false;
  hasMatches = false;
  /** The attempts for a value of each class; undefined while the class is being read. */
  readonly #attempts = new Map<ClassShape, number | undefined>();

  /** Counts how often a part of an instance is read at most: nested unions multiply. */
  countClassAttempts(shape: ClassShape): number {
    if (this.#attempts.has(shape)) {
      const known = this.#attempts.get(shape);
      this.isRecursive ||= known === undefined;
      return known ?? 1;
    }
    this.#attempts.set(shape, undefined);
    this.isForeign ||= shape.fullPath !== undefined;
    let most = 1;
    for (const { checks, type } of shape.fields) {
      most = Math.max(most, this.#countAttempts(type));
      for (const { foreign, isBudgeted } of checks) {
        this.isForeign ||= foreign === true;
        this.hasMatches ||= isBudgeted === true;
      }
    }
    this.#attempts.set(shape, most);
    return most;
  }

  #countAttempts(type: TypeShape): number {
    const counts = [
      ...listParts(type).map((part) => this.#countAttempts(part)),
      ...listOwnShapes(type).map((shape) => this.countClassAttempts(shape)),
    ];
    if (type.kind !== 'oneOf') return Math.max(1, ...counts);
    const classes = type.options.filter((option) => someType(option, (part) => listOwnShapes(part).length > 0));
    this.isBranching ||= classes.length > 1;
    return counts.reduce((sum, count) => sum + count, 0);
  }
}

import { isInstance } from '../../common/classes.js';
import { isObject, type Fields } from '../../common/guards.js';
import { getOrCreate } from '../../common/memoize.js';
import type { DiscriminatedShape, TypeShape } from '../../metadata/ClassShape.js';
import { Conformity, getTypeKey } from '../write/Conformity.js';

type Option = Exclude<TypeShape, { readonly kind: 'oneOf' | 'discriminated' }>;

/** The option of a union that a value matches; `tag` is the key that distinguishes the classes of the union. */
export interface FoundOption {
  readonly type: Option;
  readonly tag?: { readonly property: string; readonly name: string } | undefined;
}

/**
 * Finds which option of a union a value matches. If several match, the class of an instance decides; a plain object gets the
 * first option that leaves out the fewest of its keys.
 */
export class OptionFinder {
  readonly #conformity = new Conformity();
  readonly #surplus = new Map<object, Map<object, number>>();

  /** Returns the type itself unless it is a union; undefined if the value matches no option. */
  find(type: TypeShape, value: unknown): FoundOption | undefined {
    if (type.kind === 'discriminated') return this.#findSubType(type, value);
    if (type.kind !== 'oneOf') return { type };
    const option = this.#findBest(type.options, value);
    return option === undefined ? undefined : this.find(option, value);
  }

  #findSubType(type: DiscriminatedShape, value: unknown): FoundOption | undefined {
    if (!isObject(value)) return undefined;
    const options = this.#conformity
      .subTypes(type, value)
      .map(({ name, shape }) => ({ kind: 'object', shape, name }) as const);
    const best = this.#findBest(options, value);
    const option = options.find((each) => each === best);
    return option && { type: option, tag: { property: type.property, name: option.name } };
  }

  #findBest(options: readonly TypeShape[], value: unknown): TypeShape | undefined {
    const fitting = options.filter((option) => this.#conformity.fits(option, value));
    if (fitting.length < 2 || !isObject(value)) return fitting[0];
    const ofClass = fitting.filter((option) => isOfClass(option, value));
    const exact = ofClass.find((option) => option.kind === 'object' && option.shape.type === value.constructor);
    if (exact !== undefined) return exact;
    const [first, ...others] = ofClass.length > 0 ? ofClass : fitting;
    let best = first;
    let fewest = first === undefined ? 0 : this.#countSurplus(first, value);
    for (const option of others) {
      if (fewest === 0) break;
      const surplus = this.#countSurplus(option, value);
      if (surplus < fewest) [best, fewest] = [option, surplus];
    }
    return best;
  }

  /** Counts the keys of a value and its parts that a type does not declare. */
  #countSurplus(type: TypeShape, value: unknown): number {
    if (!isObject(value)) return 0;
    const key = getTypeKey(type);
    const known = getOrCreate(this.#surplus, key, () => new Map<object, number>());
    const counted = known.get(value);
    if (counted !== undefined) return counted;
    // A part that refers back to the value counts once.
    known.set(value, 0);
    const surplus = this.#countParts(type, value);
    known.set(value, surplus);
    return surplus;
  }

  #countParts(type: TypeShape, value: object): number {
    const sum = (parts: readonly unknown[], typeOf: (index: number) => TypeShape | undefined): number =>
      parts.reduce<number>((total, part, index) => {
        const inner = typeOf(index);
        return inner === undefined ? total : total + this.#countSurplus(inner, part);
      }, 0);
    switch (type.kind) {
      case 'array':
        return Array.isArray(value) ? sum(value, () => type.items) : 0;
      case 'tuple':
        return Array.isArray(value) ? sum(value, (index) => type.items[index]) : 0;
      case 'record':
        return sum(Object.values(value), () => type.values);
      case 'object': {
        const { fields } = type.shape;
        const properties = new Set(fields.map(({ property }) => property));
        const others = Object.keys(value).filter((key) => !properties.has(key)).length;
        const parts = fields.map(({ property }) => (value as Fields)[property]);
        return others + sum(parts, (index) => fields[index]?.type);
      }
      case 'oneOf':
      case 'discriminated': {
        const found = this.find(type, value);
        if (found === undefined) return 0;
        const surplus = this.#countSurplus(found.type, value);
        return isTagUndeclared(found, value) ? surplus - 1 : surplus;
      }
      default:
        return 0;
    }
  }
}

/** Checks for an instance of a class that the option names. */
function isOfClass(option: TypeShape, value: object): boolean {
  if (option.kind === 'discriminated') return option.subTypes.some(({ shape }) => isInstance(value, shape.type));
  if (option.kind === 'oneOf') return option.options.some((inner) => isOfClass(inner, value));
  return option.kind === 'object' && isInstance(value, option.shape.type);
}

/** Checks whether the value has the key of a discriminated union that its class does not declare as a property. */
function isTagUndeclared({ type, tag }: FoundOption, value: object): boolean {
  if (tag === undefined || type.kind !== 'object' || !Object.hasOwn(value, tag.property)) return false;
  return !type.shape.fields.some(({ property }) => property === tag.property);
}

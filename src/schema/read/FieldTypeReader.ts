import { callThunk, className, isClass } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import { hasPropertyType, propertyType } from '../../common/reflect.js';
import type { Constructor } from '../../common/types.js';
import type { TypeReference } from '../../metadata/args/TypeReference.js';
import type { ParamOptions } from '../../metadata/args/ParamMetadataArgs.js';
import type { ClassShape, TypeShape } from '../../metadata/ClassShape.js';
import type { Discriminator, TransformerNotes } from './classTransformer.js';
import type { ValidatorNotes } from './classValidator.js';
import { listEnumValues } from '../rules/ruleTable.js';

/** The reason, as a sentence, why a type could not be determined. */
export interface UnknownType {
  readonly problem: string;
  /** Set if the type could be determined, but no value has it, or it says nothing about values. */
  readonly code?: 'E216' | 'E219' | 'E222';
  /** Replaces the remedy of the code. */
  readonly remedy?: string;
}

const NO_BIGINT: UnknownType = {
  problem: 'it holds a bigint, which JSON does not have',
  remedy:
    'Use text, and convert it with BigInt(…) in the handler: @Param({ type: String, pattern: /^-?\\d+$/ }) on a property of type string, without a @Transform to bigint.',
};

/** All sources that may determine a property's type, strongest first. */
interface TypeClues {
  readonly options: ParamOptions;
  /** Implied by rules among the options: refines another clue, or replaces a missing one. */
  readonly stated: TypeShape | undefined;
  readonly transformer: TransformerNotes;
  readonly validator: ValidatorNotes | undefined;
  /** The initial value. */
  readonly initial: unknown;
}

const primitives = new Map<unknown, TypeShape>([
  [String, { kind: 'string' }],
  [Number, { kind: 'number' }],
  [Boolean, { kind: 'boolean' }],
  [Date, { kind: 'date' }],
]);

/** Determines types from references, emitted metadata, rules and initial values (docs/contract.md, 2). */
export class FieldTypeReader {
  readonly #read: (type: Constructor) => ClassShape;

  constructor(read: (type: Constructor) => ClassShape) {
    this.#read = read;
  }

  readProperty(owner: Constructor, property: string, clues: TypeClues): TypeShape | UnknownType {
    const { options, transformer, validator, initial } = clues;
    const lost = findLostOption(options);
    if (lost !== undefined) return lost;
    const emitted = propertyType(owner.prototype as object, property);
    if (emitted === BigInt && options.type !== 'any') return NO_BIGINT;
    const isList = emitted === Array || Array.isArray(initial);
    // A conditional rule counts only if nothing else is known.
    const implied = validator?.condition === undefined ? validator?.type : undefined;
    const stated = clues.stated ?? implied;
    const named = this.#readNamed(options, stated);
    if (transformer.conversion !== undefined && named !== undefined && 'kind' in named && contradicts(named, emitted))
      return {
        problem: `its @Transform returns a ${className(emitted)}, as the type of the property says, and its named type is ${named.kind}`,
        remedy: 'Name the type that @Transform returns, or leave @Transform out and convert in the handler.',
      };
    // A named type that is not a list itself is the type of the list's items.
    if (named !== undefined) return isList ? this.#readArray(named, initial) : named;
    const transformed = this.#readTransformed(transformer);
    if (isList) return this.#readArray(transformed ?? validator?.itemType, initial);
    if (emitted === Map || emitted === Set)
      return { problem: `it is a ${className(emitted)}, which JSON does not know: take a record or an array` };
    if (transformed !== undefined) return refineType(transformed, stated);
    if (implied !== undefined) return refineType(implied, stated);
    // swc and Vite emit an enum as the enum object, tsc as String or Number: the schema must not depend on that.
    if (isObject(emitted)) return { problem: 'its type is an enum; name it with enum: X' };
    if (emitted !== undefined && emitted !== Object)
      return refineType(this.readReference(emitted as TypeReference), stated);
    if (typeof initial === 'bigint') return NO_BIGINT;
    const last = readValueType(initial) ?? readValueType(options.default) ?? stated ?? validator?.type;
    if (last !== undefined) return refineType(last, stated);
    return {
      problem:
        emitted === Object
          ? 'its type reflects as Object (an interface, a union, null among its types, or a class of a circular file)'
          : hasPropertyType(owner.prototype as object, property)
            ? 'its type was undefined when the class was read (a circular import)'
            : 'the compiler emitted no type for it (esbuild and tsx emit none)',
    };
  }

  /** Returns the type that the options name, strongest first. */
  #readNamed(options: ParamOptions, stated: TypeShape | undefined): TypeShape | UnknownType | undefined {
    if (options.enum !== undefined) return createEnumShape(listEnumValues(options.enum));
    if (options.oneOf !== undefined) return this.readReference({ oneOf: options.oneOf });
    if (options.record !== undefined) return this.readReference({ record: options.record });
    return options.type === undefined ? undefined : refineType(this.readReference(options.type), stated);
  }

  #readTransformed({ type, discriminator }: TransformerNotes): TypeShape | UnknownType | undefined {
    if (discriminator !== undefined) return this.#readDiscriminated(discriminator);
    return type === undefined ? undefined : this.readReference(type as () => TypeReference);
  }

  #readDiscriminated({ property, subTypes, keep }: Discriminator): TypeShape | UnknownType {
    if (subTypes.length === 0) return createEmptyProblem('discriminator');
    const shapes: { readonly name: string; readonly shape: ClassShape }[] = [];
    for (const { name, value } of subTypes) {
      const type = this.readReference(value as TypeReference);
      if ('problem' in type) return type;
      if (type.kind !== 'object') return { problem: `the subtype "${name}" of its discriminator is not a class` };
      shapes.push({ name, shape: type.shape });
    }
    return { kind: 'discriminated', property, subTypes: shapes, keep };
  }

  readReference(reference: TypeReference): TypeShape | UnknownType {
    const primitive = primitives.get(reference);
    if (primitive !== undefined) return primitive;
    if (typeof reference === 'function') return this.#readFunction(reference);
    if (reference === 'integer' || reference === 'any') return { kind: reference };
    // A reference comes from user code: a circular import makes it undefined despite its declared type.
    if ((reference as unknown) === undefined || (reference as unknown) === null) {
      return {
        problem: `the named class was undefined when it was read (a circular import); use a thunk, () => X`,
      };
    }
    if (isPair(reference)) return this.#readNested(reference[0], (items) => ({ kind: 'array', items }));
    if ('array' in reference) return this.#readNested(reference.array, (items) => ({ kind: 'array', items }));
    if ('record' in reference) return this.#readNested(reference.record, (values) => ({ kind: 'record', values }));
    if ('tuple' in reference) return this.#readAll('tuple', reference.tuple, (items) => ({ kind: 'tuple', items }));
    if ('oneOf' in reference) return this.#readAll('oneOf', reference.oneOf, (options) => ({ kind: 'oneOf', options }));
    return createEnumShape(listEnumValues(reference.enum));
  }

  #readFunction(reference: unknown): TypeShape | UnknownType {
    if (reference === BigInt) return NO_BIGINT;
    if (reference === Array) return { problem: 'Array does not name the type of its items' };
    if (isNative(reference)) return { problem: `${className(reference)} does not name the types of its contents` };
    if (isClass(reference)) return { kind: 'object', shape: this.#read(reference) };
    return this.readReference(callThunk(reference as () => unknown) as TypeReference);
  }

  #readArray(item: TypeShape | UnknownType | undefined, initial: unknown): TypeShape | UnknownType {
    const first: unknown = Array.isArray(initial) ? initial[0] : undefined;
    const items = item ?? readValueType(first);
    if (items === undefined) return { problem: 'it is an array without a type for its items' };
    if ('problem' in items) return items;
    return mayBeList(items) ? items : { kind: 'array', items };
  }

  #readNested(reference: TypeReference, wrap: (inner: TypeShape) => TypeShape): TypeShape | UnknownType {
    const inner = this.readReference(reference);
    return 'problem' in inner ? inner : wrap(inner);
  }

  #readAll(
    name: string,
    references: readonly TypeReference[],
    wrap: (inner: readonly TypeShape[]) => TypeShape,
  ): TypeShape | UnknownType {
    if (references.length === 0) return createEmptyProblem(name);
    const inner: TypeShape[] = [];
    for (const reference of references) {
      const shape = this.readReference(reference);
      if ('problem' in shape) return shape;
      inner.push(shape);
    }
    return wrap(inner);
  }
}

/** Checks whether no value of the emitted type can have the named type. */
function contradicts({ kind }: TypeShape, emitted: unknown): emitted is Constructor {
  const expected = { string: String, number: Number, integer: Number, boolean: Boolean }[kind as string];
  return expected !== undefined && expected !== emitted && [String, Number, Boolean].some((type) => type === emitted);
}

function isPair(reference: TypeReference): reference is readonly [TypeReference] {
  return Array.isArray(reference);
}

function createEnumShape(values: ReturnType<typeof listEnumValues>): TypeShape | UnknownType {
  if (values.length === 0) return createEmptyProblem('enum');
  const met = new Map<string, unknown>();
  for (const value of values) {
    const text = String(value);
    if (met.has(text)) return { problem: describeDuplicate(met.get(text), value), code: 'E222' };
    met.set(text, value);
  }
  return { kind: 'enum', values };
}

function describeDuplicate(one: unknown, other: unknown): string {
  const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
  return one === other ? `its enum has ${first} twice` : `its enum has ${first} beside ${second}`;
}

/** Finds an option that should name a type but is undefined, because the type was not loaded yet. */
function findLostOption(options: ParamOptions): UnknownType | undefined {
  const lost = (['type', 'enum', 'record', 'oneOf'] as const).find(
    (name) => Object.hasOwn(options, name) && options[name] === undefined,
  );
  if (lost === undefined) return undefined;
  return {
    problem: `its option ${lost} was undefined when the class was read (a circular import); use a thunk, () => X, or move it into a third file`,
  };
}

function createEmptyProblem(name: string): UnknownType {
  return { problem: `its ${name} is empty`, code: 'E216' };
}

function mayBeList(type: TypeShape): boolean {
  return ['array', 'tuple', 'any'].includes(type.kind) || (type.kind === 'oneOf' && type.options.some(mayBeList));
}

/** Narrows a type by a more specific rule: `integer` for `Number`. */
function refineType(shape: TypeShape | UnknownType, implied: TypeShape | undefined): TypeShape | UnknownType {
  if (!('kind' in shape)) return shape;
  if (shape.kind === 'enum') return createEnumShape(shape.values);
  return shape.kind === 'number' && implied?.kind === 'integer' ? implied : shape;
}

function readValueType(value: unknown): TypeShape | undefined {
  if (value instanceof Date) return { kind: 'date' };
  const kind = typeof value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? { kind } : undefined;
}

/** Checks for a built-in class: the compiler emits one for functions, maps, promises and unknown types. */
function isNative(type: unknown): boolean {
  // A user's class may be long; a native function is marked at the end of its source.
  return typeof type === 'function' && Function.prototype.toString.call(type).slice(-20).includes('[native code]');
}

import type { Fields } from '../../common/guards.js';
import { snakeCase } from '../../common/text.js';
import type { Constructor, JsonValue } from '../../common/types.js';
import { getOrCreate } from '../../common/memoize.js';
import type { ParamOptions } from '../../metadata/args/ParamMetadataArgs.js';
import type { ClassShape, TypeShape } from '../../metadata/ClassShape.js';
import { exposesOnlyMarked, readTransformerNotes, listTransformerProperties } from '../read/classTransformer.js';
import { listDeclarations } from '../read/mappedTypes.js';
import type { FieldNames } from '../read/ShapeReader.js';
import { listAllTypes } from '../read/typeParts.js';
import { PlainWriter, type DumpOptions, type Names } from './PlainWriter.js';

/**
 * Writes any value as plain JSON data: class instances by their wire names, without `@Exclude`d properties and with exposed
 * getters; instances of other classes by their `toJSON`, if they have one; cycles, BigInt, Map, Set, Error and Date in defined
 * forms (docs/contract.md, 5). Never throws, and the output is not much larger than the value, however its parts refer to each
 * other.
 */
export class Serialiser {
  readonly #fieldNames: FieldNames;
  // Weak, so that classes of tests and of reloaded modules can be collected.
  readonly #names = new WeakMap<Constructor, Names>();

  constructor(fieldNames: FieldNames = 'as-is') {
    this.#fieldNames = fieldNames;
  }

  toPlain(value: unknown, options: DumpOptions = {}): unknown {
    return this.write(value, Number.POSITIVE_INFINITY, options).plain;
  }

  /** @param mostEntries limit for each list and object; further entries are only counted */
  write(value: unknown, mostEntries: number, options: DumpOptions = {}): WrittenValue {
    const writer = new PlainWriter(options, mostEntries, (declared) => this.namesOf(declared));
    const plain = writer.of(value, options.type);
    const { left, isWhole, ended, isSmall } = writer;
    return { plain, left, isWhole, ended, isSmall };
  }

  /** Returns the declared properties and exposed getters of a class with their wire names; undefined for excluded ones. */
  namesOf(type: Constructor): Names {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    const byProperty = new Map<string, string | undefined>();
    const options = new Map(listDeclarations(type).map((args) => [args.property, args.options]));
    const noted = listTransformerProperties(type);
    for (const property of [...options.keys(), ...noted]) {
      const { hiddenOutput, exposedName } = readTransformerNotes(type, property);
      const derived = this.#fieldNames === 'snake_case' && options.has(property) ? snakeCase(property) : property;
      const { name, internal = false } = options.get(property) ?? {};
      byProperty.set(property, hiddenOutput || internal ? undefined : (name ?? exposedName ?? derived));
    }
    const nullable = [...options].flatMap(([property, own]) => (isNullable(own) ? [property] : []));
    const names = {
      byProperty,
      onlyThese: exposesOnlyMarked(type),
      nullable: new Set(nullable.length === 0 ? [] : omitInitialNulls(type, nullable)),
    };
    this.#names.set(type, names);
    return names;
  }
}

/** Omits properties that are null in a new instance: null is their default. */
function omitInitialNulls(type: Constructor, properties: readonly string[]): readonly string[] {
  try {
    const instance = new type() as Fields;
    return properties.filter((property) => instance[property] !== null);
  } catch {
    return properties;
  }
}

/** Checks whether null is a value of the property but not its default. */
function isNullable({ nullable, default: initial, enum: values }: ParamOptions): boolean {
  return initial !== null && (nullable === true || (Array.isArray(values) && values.includes(null)));
}

const serialisers: Readonly<Record<FieldNames, Serialiser>> = {
  'as-is': new Serialiser('as-is'),
  property: new Serialiser('property'),
  snake_case: new Serialiser('snake_case'),
};

/** Returns the shared serialiser for a naming style; shared because it caches the names of each class. */
export function createSerialiser(fieldNames: FieldNames): Serialiser {
  return serialisers[fieldNames];
}

/**
 * Writes any value as plain JSON data, in the form that models receive: instances by their wire names without `@Exclude`d
 * properties; cycles, dates, maps and errors in defined forms (docs/contract.md, 5). Never throws.
 *
 * @returns undefined only for undefined
 * @example
 * JSON.stringify(dump(order, { excludeNone: true }));
 */
export function dump(value: unknown, { excludeNone }: Pick<DumpOptions, 'excludeNone'> = {}): JsonValue | undefined {
  return createSerialiser('as-is').toPlain(value, { excludeNone }) as JsonValue | undefined;
}

/** A value as plain JSON data, and the parts that were not kept. */
export interface WrittenValue extends Readonly<Pick<PlainWriter, 'left' | 'isWhole' | 'ended' | 'isSmall'>> {
  readonly plain: unknown;
}

const renaming = new WeakMap<TypeShape, boolean>();

/**
 * Checks whether values of the type need it for writing: a class in it renames a property or has conversions or conditions, or a
 * union distinguishes its classes by a key.
 */
export function needsType(type: TypeShape): boolean {
  return getOrCreate(renaming, type, searchType);
}

function searchType(type: TypeShape): boolean {
  return listAllTypes(type).some(
    (part) => part.kind === 'discriminated' || (part.kind === 'object' && isWrittenByShape(part.shape)),
  );
}

function isWrittenByShape({ fullPath, fields }: ClassShape): boolean {
  return fullPath !== undefined || fields.some(({ property, wireName }) => property !== wireName);
}

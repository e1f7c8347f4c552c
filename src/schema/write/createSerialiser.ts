import { classChain } from '../../common/classes.js';
import { snakeCase } from '../../common/text.js';
import type { Constructor } from '../../common/types.js';
import type { ParamOptions } from '../../metadata/args/ParamMetadataArgs.js';
import { findArgs } from '../../metadata/args/MetadataArgsStorage.js';
import type { FieldShape, TypeShape } from '../../metadata/ClassShape.js';
import { exposesOnlyMarked, transformerNotes, transformerProperties } from '../read/classTransformer.js';
import type { FieldNames } from '../read/ShapeReader.js';
import { PlainWriter, type Names } from './PlainWriter.js';

/** Options of writing values. */
export interface DumpOptions {
  /** Leaves out properties of class instances that are `null` or `undefined`; plain records keep them. */
  readonly excludeNone?: boolean | undefined;
  /** Keeps the `null` of properties that are declared nullable all the same, unless it is their default. */
  readonly keepNullable?: boolean | undefined;
  /** The declared type; with it, plain rows are written like instances of its classes. */
  readonly type?: TypeShape | undefined;
  /** Leaves out keys that the declared type does not have, and nulls that mean an absent value, so that its schema accepts the rest. */
  readonly declaredOnly?: boolean | undefined;
}

/**
 * Writes any value as plain JSON data: class instances by their wire names without `@Exclude`d properties and with exposed
 * getters; instances of other classes by their `toJSON`, if they have one; cycles, BigInt, Map, Set, Error and Date in defined
 * forms (docs/contract.md, 5). Never throws, and writes little more than the value holds, however its parts refer to each other.
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

  /**
   * Writes a value, and says what of it was not kept.
   *
   * @param mostEntries of each list and object; more of them are counted only
   */
  write(
    value: unknown,
    mostEntries: number,
    { excludeNone = false, keepNullable = false, declaredOnly = false, type }: DumpOptions = {},
  ): WrittenValue {
    const namesOf = (declared: Constructor): Names => this.namesOf(declared);
    const writing = new PlainWriter({ excludeNone, keepNullable, declaredOnly, mostEntries, namesOf });
    const plain = writing.of(value, type);
    const { left, isWhole, ended, isSmall } = writing;
    return { plain, left, isWhole, ended, isSmall };
  }

  /** The declared properties and exposed getters of a class with their wire names; undefined for those that are excluded. */
  namesOf(type: Constructor): Names {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    const byProperty = new Map<string, string | undefined>();
    const declared = [...classChain(type)].reverse().flatMap((owner) => findArgs(owner)?.properties ?? []);
    const options = new Map(declared.map((args) => [args.property, args.options]));
    const noted = transformerProperties(type);
    for (const property of [...options.keys(), ...noted]) {
      const { hiddenOutput, exposedName } = transformerNotes(type, property);
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

/** Leaves out the properties that are null in a new instance: null is their default. */
function omitInitialNulls(type: Constructor, properties: readonly string[]): readonly string[] {
  try {
    const instance = new type() as Readonly<Record<string, unknown>>;
    return properties.filter((property) => instance[property] !== null);
  } catch {
    return properties;
  }
}

/** True if the options of a property say that null is one of its values, and not the one that it has by default. */
function isNullable({ nullable, default: initial, enum: values }: ParamOptions): boolean {
  return initial !== null && (nullable === true || (Array.isArray(values) && values.includes(null)));
}

const serialisers = new Map<FieldNames, Serialiser>();

/** Returns the serialiser that writes by these names: one for all, since it remembers the names of each class. */
export function createSerialiser(fieldNames: FieldNames): Serialiser {
  const serialiser = serialisers.get(fieldNames) ?? new Serialiser(fieldNames);
  serialisers.set(fieldNames, serialiser);
  return serialiser;
}

/** A value as plain JSON data. */
export interface WrittenValue {
  readonly plain: unknown;
  /** Characters of its JSON that are not in `plain`. */
  readonly left: number;
  /** False if not even all of its entries were counted. */
  readonly isWhole: boolean;
  /** Lists and objects in it that end early, with the number of entries that are missing; the last entry says so. */
  readonly ended: ReadonlyMap<object, number>;
  /** True if its JSON is short enough to be made to see how long it is. */
  readonly isSmall: boolean;
}

const renaming = new WeakMap<TypeShape, boolean>();

/**
 * True if values of the type are not written as they are: a class in it renames a property, or has conversions or conditions, or a
 * union tells its classes apart by a key.
 */
export function needsType(type: TypeShape): boolean {
  const known = renaming.get(type);
  if (known !== undefined) return known;
  const found = renamesWithin(type, new Set());
  renaming.set(type, found);
  return found;
}

/** @param seen types that have been looked into: classes may lead back to each other */
function renamesWithin(type: TypeShape, seen: Set<TypeShape>): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  return (
    listInnerTypes(type).some((inner) => renamesWithin(inner, seen)) ||
    type.kind === 'discriminated' ||
    (type.kind === 'object' && (type.shape.fullPath !== undefined || type.shape.fields.some(renames)))
  );
}

function renames({ property, wireName }: FieldShape): boolean {
  return property !== wireName;
}

function listInnerTypes(type: TypeShape): readonly TypeShape[] {
  switch (type.kind) {
    case 'array':
      return [type.items];
    case 'record':
      return [type.values];
    case 'tuple':
      return type.items;
    case 'oneOf':
      return type.options;
    case 'object':
      return type.shape.fields.map((field) => field.type);
    default:
      return [];
  }
}

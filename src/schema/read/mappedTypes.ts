// `PickType`, `OmitType`, `PartialType` and `IntersectionType` of Nest (also in @nestjs/swagger and @nestjs/graphql) create a
// class with the class-validator rules and initial values of another one. They do not know `@Param`.
import { className, classChain } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import { propertyType, setPropertyType } from '../../common/reflect.js';
import type { Constructor } from '../../common/types.js';
import { getArgs, findArgs } from '../../metadata/args/MetadataArgsStorage.js';
import type { PropertyMetadataArgs } from '../../metadata/args/ParamMetadataArgs.js';

/** A class that a mapped type created. */
interface MappedClass {
  /** The classes that it was created from; empty if they cannot be determined. */
  readonly sources: readonly Constructor[];
  /** The names of its fields: declared in the sources, or only initialised there. */
  readonly fields: ReadonlySet<string>;
}

/** The fields of the mapped classes among a class and its ancestors. */
export interface AdoptedFields {
  /** All fields, including those without a decorator. */
  readonly fields: readonly string[];
  /** The name of a mapped class with unknown sources. */
  readonly unknown: string | undefined;
}

/** The constructor of each mapped class calls this function of @nestjs/mapped-types; the class names differ by package. */
const INITIALIZERS = /\binheritPropertyInitializers\b/;
const PARTIAL = /^class \w*Partial/;

const list = Object.getOwnPropertyNames;

// A class is created once, and read by each application.
const adopted = new WeakMap<Constructor, MappedClass>();

/** Copies declarations to the mapped classes among a class and its ancestors, from the classes that they were created from. */
export function adoptDeclarations(type: Constructor): AdoptedFields {
  const owners = classChain(type).filter((owner) => adopted.has(owner) || isMapped(owner));
  const mapped = owners.map((owner) => adoptClass(owner));
  const unknown = owners.find((_owner, at) => mapped[at]?.sources.length === 0);
  return {
    fields: mapped.flatMap(({ fields }) => [...fields]),
    unknown: unknown === undefined ? undefined : className(unknown),
  };
}

/** Lists the declared properties of a class and its ancestors, base classes first; a redeclaration adds its options. */
export function listDeclarations(type: Constructor): readonly PropertyMetadataArgs[] {
  const found = new Map<string, PropertyMetadataArgs>();
  for (const owner of [...classChain(type)].reverse())
    for (const { property, options, misused } of findArgs(owner)?.properties ?? [])
      found.set(property, { property, options: { ...found.get(property)?.options, ...options }, misused });
  return [...found.values()];
}

function isMapped(type: Constructor): boolean {
  return findArgs(type) === undefined && INITIALIZERS.test(getSourceText(type));
}

function getSourceText(type: Constructor): string {
  return Function.prototype.toString.call(type);
}

function adoptClass(made: Constructor): MappedClass {
  const known = adopted.get(made);
  if (known !== undefined) return known;
  const mapped = probeMappedClass(made);
  adopted.set(made, mapped);
  const isPartial = PARTIAL.test(getSourceText(made));
  for (const source of mapped.sources)
    for (const declared of listDeclarations(source))
      if (mapped.fields.has(declared.property)) copyDeclaration(made, source, declared, isPartial);
  return mapped;
}

/**
 * Determines the fields of a mapped class. Its constructor copies those properties of an instance of each source that are set, so
 * this sets every declared property before they are listed, and takes the copied ones as the fields.
 */
function probeMappedClass(made: Constructor): MappedClass {
  const seen: Constructor[] = [];
  // A source may extend a mapped class, which is probed meanwhile.
  const outer = Object.getOwnPropertyNames;
  const listSet = (instance: object): string[] => {
    const source = getClassOf(instance);
    if (source === undefined) return list(instance);
    adoptDeclarations(source);
    seen.push(source);
    for (const name of [...list(instance), ...listDeclarations(source).map(({ property }) => property)])
      if ((instance as Record<string, unknown>)[name] === undefined)
        Object.defineProperty(instance, name, { value: null, configurable: true, enumerable: true, writable: true });
    return list(instance);
  };
  try {
    Object.getOwnPropertyNames = listSet;
    const fields = new Set(list(new made()));
    return { sources: removeInnerSources(seen), fields };
  } catch {
    return { sources: [], fields: new Set() };
  } finally {
    Object.getOwnPropertyNames = outer;
  }
}

/** Returns the class of an instance; undefined for plain values. */
function getClassOf(instance: unknown): Constructor | undefined {
  const prototype: unknown = isObject(instance) ? Object.getPrototypeOf(instance) : null;
  if (prototype === null || prototype === Object.prototype || prototype === Array.prototype) return undefined;
  const { constructor: type } = prototype as { readonly constructor: unknown };
  return typeof type === 'function' ? (type as Constructor) : undefined;
}

/** Leaves out the sources of mapped classes that sources extend: they were constructed along with those. */
function removeInnerSources(seen: readonly Constructor[]): readonly Constructor[] {
  const rest = [...seen];
  for (const source of seen)
    for (const owner of classChain(source))
      for (const inner of adopted.get(owner)?.sources ?? []) {
        const at = rest.indexOf(inner);
        if (at >= 0) rest.splice(at, 1);
      }
  return rest;
}

function copyDeclaration(
  made: Constructor,
  source: Constructor,
  { property, options, misused }: PropertyMetadataArgs,
  isPartial: boolean,
): void {
  getArgs(made).properties.push({ property, options: isPartial ? { ...options, optional: true } : options, misused });
  const [prototype, emitted] = [made.prototype as object, propertyType(source.prototype as object, property)];
  if (emitted !== undefined && propertyType(prototype, property) === undefined)
    setPropertyType(prototype, property, emitted);
}

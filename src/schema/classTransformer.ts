import { Expose, plainToInstance, type ClassConstructor } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import type { Constructor } from '../common/types.js';

// class-transformer's TransformationType.PLAIN_TO_CLASS; the enum is not exported with a type that fits.
const PLAIN_TO_CLASS = 0;

/** Classes that stand for one property, told apart by the value of one of its keys. */
export interface Discriminator {
  readonly property: string;
  readonly subTypes: readonly { readonly value: unknown; readonly name: string }[];
  /** Whether instances hold the key as well. */
  readonly keep: boolean;
}

/** What class-transformer's decorators say of one property. */
export interface TransformerNotes {
  /** The class of `@Type`, as a thunk; undefined without the decorator. */
  readonly type: (() => unknown) | undefined;
  /** The name of `@Expose({ name })`. */
  readonly exposedName: string | undefined;
  /** Not taken from the wire. */
  readonly hiddenInput: boolean;
  /** Left out when serialised. */
  readonly hiddenOutput: boolean;
  /** The subtypes of `@Type`, told apart by a property; undefined without them. */
  readonly discriminator: Discriminator | undefined;
  /** The decorator that only class-transformer can carry out; undefined when there is none. */
  readonly conversion: string | undefined;
}

/** Reads the decorators of one property, inherited ones included. */
export function transformerNotes(type: Constructor, property: string): TransformerNotes {
  const typed = defaultMetadataStorage.findTypeMetadata(type, property);
  const excluded = defaultMetadataStorage.findExcludeMetadata(type, property)?.options;
  const exposed = defaultMetadataStorage.findExposeMetadata(type, property)?.options;
  const { discriminator, keepDiscriminatorProperty = false } = typed?.options ?? {};
  const conversion = transformations(type, property).length > 0 ? '@Transform' : undefined;
  release(type);
  return {
    type: typed?.typeFunction,
    exposedName: exposed?.name,
    hiddenInput: isHidden(type, excluded, exposed, 'toPlainOnly', 'toClassOnly'),
    hiddenOutput: isHidden(type, excluded, exposed, 'toClassOnly', 'toPlainOnly'),
    discriminator: discriminator === undefined ? undefined : { ...discriminator, keep: keepDiscriminatorProperty },
    conversion,
  };
}

function transformations(
  type: Constructor,
  property: string,
): ReturnType<typeof defaultMetadataStorage.findTransformMetadatas> {
  const found = defaultMetadataStorage.findTransformMetadatas(type, property, PLAIN_TO_CLASS);
  // Without groups, class-transformer passes over those that are for some.
  return found.filter(({ options }) => (options?.groups ?? []).length === 0);
}

/**
 * What `@Type` and `@Transform` make of a value. class-transformer is not given the whole object: it would go through every
 * property, delete discriminators, and call what it finds under the key `constructor`.
 *
 * @param obj the plain object that holds the value, as transformations see it
 * @throws whatever a `@Transform` throws
 */
export function transformed(type: Constructor, key: string, value: unknown, obj: object): unknown {
  const options = { exposeDefaultValues: true };
  const { typeFunction, options: typed } = defaultMetadataStorage.findTypeMetadata(type, key) ?? {};
  const named =
    typed?.discriminator === undefined ? typeFunction?.({ newObject: {}, object: obj, property: key }) : undefined;
  const before: unknown =
    named === undefined ? value : plainToInstance(named as ClassConstructor<unknown>, value, options);
  return transformations(type, key).reduce(
    (current, { transformFn }) => transformFn({ value: current, key, obj, type: PLAIN_TO_CLASS, options }),
    before,
  );
}

/** Makes class-transformer forget the ancestors of a class: it would hold every class that it was ever asked about. */
function release(type: Constructor): void {
  const { _ancestorsMap: ancestors } = defaultMetadataStorage as unknown as { readonly _ancestorsMap?: unknown };
  if (ancestors instanceof Map) ancestors.delete(type);
}

interface MarkOptions {
  readonly toClassOnly?: boolean;
  readonly toPlainOnly?: boolean;
  readonly groups?: readonly string[];
}

/** True when class-transformer leaves the property out on the way that is not `other`; it is called without groups. */
function isHidden(
  type: Constructor,
  excluded: MarkOptions | undefined,
  exposed: MarkOptions | undefined,
  other: 'toPlainOnly' | 'toClassOnly',
  way: 'toPlainOnly' | 'toClassOnly',
): boolean {
  const counts = (options: MarkOptions | undefined): boolean =>
    options !== undefined && (options[other] !== true || options[way] === true);
  if (counts(excluded) || (exposed?.groups ?? []).length > 0) return true;
  return exposesOnlyMarked(type) && !counts(exposed);
}

/** Properties that are declared to class-transformer alone: `@Expose`d ones and `@Exclude`d ones, getters included. */
export function transformerProperties(type: Constructor): readonly string[] {
  const noted = [
    ...defaultMetadataStorage.getExposedMetadatas(type),
    ...defaultMetadataStorage.getExcludedMetadatas(type),
  ];
  release(type);
  return noted.flatMap(({ propertyName }) => (propertyName === undefined ? [] : [propertyName]));
}

/** True when the class as a whole is marked with `@Exclude()`: only exposed properties are serialised. */
export function exposesOnlyMarked(type: Constructor): boolean {
  return defaultMetadataStorage.getStrategy(type) === 'excludeAll';
}

/**
 * True when the decorators that users import write where this file reads. A bundler that takes the `module` field of
 * class-transformer makes two copies of it, and then `@Exclude`d values would reach the model without a word.
 */
export function seesDecorators(): boolean {
  class Probe {}
  Expose()(Probe.prototype, 'mark');
  return defaultMetadataStorage.findExposeMetadata(Probe, 'mark') !== undefined;
}

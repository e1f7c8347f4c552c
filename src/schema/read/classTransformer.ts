import type { ClassConstructor, ExposeOptions, TransformationType, TransformMetadata } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import type { Constructor } from '../../common/types.js';
import { classTransformer } from './libraries.js';

// The enum itself cannot be imported without the rest of the library.
const PLAIN_TO_CLASS = 0 as unknown as TransformationType;

/** The possible classes of one property, distinguished by the value of one of its keys. */
export interface Discriminator {
  readonly property: string;
  readonly subTypes: readonly { readonly value: unknown; readonly name: string }[];
  /** True if instances also have the key. */
  readonly keep: boolean;
}

/** The metadata of class-transformer's decorators on one property. */
export interface TransformerNotes {
  /** The class of `@Type`, as a thunk; undefined without the decorator. */
  readonly type: (() => unknown) | undefined;
  /** The name of `@Expose({ name })`. */
  readonly exposedName: string | undefined;
  /** True if the property is not read from arguments. */
  readonly hiddenInput: boolean;
  /** True if the property is left out when serialised. */
  readonly hiddenOutput: boolean;
  /** The discriminator of `@Type` with its subtypes; undefined without one. */
  readonly discriminator: Discriminator | undefined;
  /** Names the decorator that only class-transformer can apply; undefined if there is none. */
  readonly conversion: string | undefined;
}

/** Reads the decorators of one property, including inherited ones. */
export function readTransformerNotes(type: Constructor, property: string): TransformerNotes {
  const typed = defaultMetadataStorage.findTypeMetadata(type, property);
  const excluded = defaultMetadataStorage.findExcludeMetadata(type, property)?.options;
  const exposed = defaultMetadataStorage.findExposeMetadata(type, property)?.options;
  const { discriminator, keepDiscriminatorProperty = false } = typed?.options ?? {};
  const conversion = findTransformations(type, property).length > 0 ? '@Transform' : undefined;
  releaseClass(type);
  return {
    type: typed?.typeFunction,
    exposedName: exposed?.name,
    hiddenInput: isHidden(type, excluded, exposed, 'toClassOnly'),
    hiddenOutput: isHidden(type, excluded, exposed, 'toPlainOnly'),
    discriminator: discriminator === undefined ? undefined : { ...discriminator, keep: keepDiscriminatorProperty },
    conversion,
  };
}

function findTransformations(type: Constructor, property: string): readonly Pick<TransformMetadata, 'transformFn'>[] {
  const found = defaultMetadataStorage.findTransformMetadatas(type, property, PLAIN_TO_CLASS);
  // Called without groups, class-transformer skips transformations that have groups.
  return found.filter(({ options }) => (options?.groups ?? []).length === 0);
}

/**
 * Applies `@Type` and `@Transform` to a value. Does not pass the whole object to class-transformer: it would walk every property,
 * delete discriminators, and call the value of a key `constructor`.
 *
 * @param obj the plain object that holds the value, for transformations to read
 * @throws any error of a `@Transform`
 */
export function transformValue(type: Constructor, key: string, value: unknown, obj: object): unknown {
  const options = { exposeDefaultValues: true };
  const { typeFunction, options: typed } = defaultMetadataStorage.findTypeMetadata(type, key) ?? {};
  const named =
    typed?.discriminator === undefined ? typeFunction?.({ newObject: {}, object: obj, property: key }) : undefined;
  const before: unknown =
    named === undefined
      ? value
      : classTransformer.get().plainToInstance(named as ClassConstructor<unknown>, value, options);
  return findTransformations(type, key).reduce(
    (current, { transformFn }) => transformFn({ value: current, key, obj, type: PLAIN_TO_CLASS, options }),
    before,
  );
}

/** Removes a class from class-transformer's cache of ancestors, which would otherwise keep every class. */
function releaseClass(type: Constructor): void {
  const { _ancestorsMap: ancestors } = defaultMetadataStorage as unknown as { readonly _ancestorsMap?: unknown };
  if (ancestors instanceof Map) ancestors.delete(type);
}

/** Checks whether class-transformer, called without groups, omits the property in a direction. */
function isHidden(
  type: Constructor,
  excluded: ExposeOptions | undefined,
  exposed: ExposeOptions | undefined,
  way: 'toPlainOnly' | 'toClassOnly',
): boolean {
  const other = way === 'toPlainOnly' ? 'toClassOnly' : 'toPlainOnly';
  const counts = (options: ExposeOptions | undefined): boolean =>
    options !== undefined && (options[other] !== true || options[way] === true);
  if (counts(excluded) || (exposed?.groups ?? []).length > 0) return true;
  return exposesOnlyMarked(type) && !counts(exposed);
}

/** Lists properties with `@Expose` or `@Exclude`, including getters. */
export function listTransformerProperties(type: Constructor): readonly string[] {
  const noted = [
    ...defaultMetadataStorage.getExposedMetadatas(type),
    ...defaultMetadataStorage.getExcludedMetadatas(type),
  ];
  releaseClass(type);
  return noted.flatMap(({ propertyName }) => (propertyName === undefined ? [] : [propertyName]));
}

/** Checks whether the class itself is marked with `@Exclude()`: then only exposed properties are serialised. */
export function exposesOnlyMarked(type: Constructor): boolean {
  return defaultMetadataStorage.getStrategy(type) === 'excludeAll';
}

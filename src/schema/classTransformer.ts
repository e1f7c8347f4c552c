import { Expose } from 'class-transformer';
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
  const excluded = defaultMetadataStorage.findExcludeMetadata(type, property);
  const transformed = defaultMetadataStorage.findTransformMetadatas(type, property, PLAIN_TO_CLASS).length > 0;
  const { discriminator, keepDiscriminatorProperty = false } = typed?.options ?? {};
  return {
    type: typed?.typeFunction,
    exposedName: defaultMetadataStorage.findExposeMetadata(type, property)?.options.name,
    hiddenInput: excluded !== undefined && excluded.options.toPlainOnly !== true,
    hiddenOutput: excluded !== undefined && excluded.options.toClassOnly !== true,
    discriminator: discriminator === undefined ? undefined : { ...discriminator, keep: keepDiscriminatorProperty },
    conversion: transformed ? '@Transform' : undefined,
  };
}

/** Properties that only class-transformer knows of: `@Expose`d ones and `@Exclude`d ones, getters included. */
export function transformerProperties(type: Constructor): readonly string[] {
  const noted = [
    ...defaultMetadataStorage.getExposedMetadatas(type),
    ...defaultMetadataStorage.getExcludedMetadatas(type),
  ];
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

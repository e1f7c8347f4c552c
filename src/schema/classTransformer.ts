import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import type { Constructor } from '../common/types.js';

// class-transformer's TransformationType: PLAIN_TO_CLASS and CLASS_TO_PLAIN; the enum is not exported with types that fit.
const PLAIN_TO_CLASS = 0;
const CLASS_TO_PLAIN = 1;

/** What class-transformer's decorators say of one property. */
export interface TransformerNotes {
  /** The class of `@Type`, as a thunk; undefined without the decorator. */
  readonly type: (() => unknown) | undefined;
  /** The name of `@Expose({ name })`. */
  readonly exposedName: string | undefined;
  /** Left out when serialised. */
  readonly excluded: boolean;
  /** The decorator that only the full path understands; undefined when there is none. */
  readonly needsFullPath: string | undefined;
}

/** Reads the decorators of one property, inherited ones included. */
export function transformerNotes(type: Constructor, property: string): TransformerNotes {
  const typed = defaultMetadataStorage.findTypeMetadata(type, property);
  const exposed = defaultMetadataStorage.findExposeMetadata(type, property);
  const excluded = defaultMetadataStorage.findExcludeMetadata(type, property) !== undefined;
  const transformed =
    defaultMetadataStorage.findTransformMetadatas(type, property, PLAIN_TO_CLASS).length > 0 ||
    defaultMetadataStorage.findTransformMetadatas(type, property, CLASS_TO_PLAIN).length > 0;
  return {
    type: typed?.typeFunction,
    exposedName: exposed?.options.name,
    excluded,
    needsFullPath: transformed
      ? '@Transform'
      : excluded
        ? '@Exclude'
        : typed?.options?.discriminator !== undefined
          ? '@Type with a discriminator'
          : undefined,
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

// class-transformer has no types for the module that holds its metadata, only for the class of the storage.
declare module 'class-transformer/cjs/storage.js' {
  import type { MetadataStorage } from 'class-transformer/types/MetadataStorage.js';
  type Finder = 'findTypeMetadata' | 'findExposeMetadata' | 'findExcludeMetadata';

  type Transformation = ReturnType<MetadataStorage['findTransformMetadatas']>[number];

  /** The types of the library hide that its finders may return undefined, and that transformations may have no options. */
  export const defaultMetadataStorage: Omit<MetadataStorage, Finder | 'findTransformMetadatas'> & {
    readonly [Name in Finder]: (
      ...args: Parameters<MetadataStorage[Name]>
    ) => ReturnType<MetadataStorage[Name]> | undefined;
  } & {
    findTransformMetadatas(
      ...args: Parameters<MetadataStorage['findTransformMetadatas']>
    ): (Omit<Transformation, 'options'> & Partial<Pick<Transformation, 'options'>>)[];
  };
}

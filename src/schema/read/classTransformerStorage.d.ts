// class-transformer has no types for the module that holds its metadata.
declare module 'class-transformer/cjs/storage.js' {
  interface TypeMetadata {
    readonly propertyName: string;
    readonly typeFunction: ((options?: unknown) => unknown) | undefined;
    readonly options:
      | {
          readonly discriminator?: {
            readonly property: string;
            readonly subTypes: readonly { readonly value: unknown; readonly name: string }[];
          };
          readonly keepDiscriminatorProperty?: boolean;
        }
      | undefined;
  }
  interface ExposeMetadata {
    readonly propertyName: string | undefined;
    readonly options: {
      readonly name?: string;
      readonly groups?: readonly string[];
      readonly toClassOnly?: boolean;
      readonly toPlainOnly?: boolean;
      readonly since?: number;
      readonly until?: number;
    };
  }
  interface TransformMetadata {
    readonly transformFn: (params: {
      readonly value: unknown;
      readonly key: string;
      readonly obj: object;
      readonly type: number;
      readonly options: object;
    }) => unknown;
    readonly options: { readonly groups?: readonly string[] } | undefined;
  }
  interface ExcludeMetadata {
    readonly options: { readonly toClassOnly?: boolean; readonly toPlainOnly?: boolean };
  }
  export const defaultMetadataStorage: {
    findTypeMetadata(target: unknown, propertyName: string): TypeMetadata | undefined;
    findExposeMetadata(target: unknown, propertyName: string): ExposeMetadata | undefined;
    findExcludeMetadata(target: unknown, propertyName: string): ExcludeMetadata | undefined;
    findTransformMetadatas(
      target: unknown,
      propertyName: string,
      transformationType: number,
    ): readonly TransformMetadata[];
    getExposedMetadatas(target: unknown): readonly ExposeMetadata[];
    getExcludedMetadatas(target: unknown): readonly { readonly propertyName: string | undefined }[];
    getStrategy(target: unknown): 'excludeAll' | 'exposeAll' | 'none';
  };
}

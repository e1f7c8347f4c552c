// Reads the options of `@Field` of @nestjs/graphql, which keeps them in global stores and not in the metadata of classes.
import { classChain } from '../common/classes.js';
import type { Constructor } from '../common/types.js';
import type { ParamOptions } from '../metadata/args/ParamMetadataArgs.js';

/** The parts of the stores that are used; another version of the package may lack any of them. */
interface GraphqlStores {
  readonly GqlLazyMetadataStorageHost?: {
    load?(types: readonly Constructor[], options: { readonly skipFieldLazyMetadata: boolean }): void;
  };
  readonly GqlTypeMetadataStorage?: {
    readonly metadataByTargetCollection?: {
      // Read past its method `get`, which adds every class that it is asked for.
      readonly storageMap?: ReadonlyMap<Constructor, { readonly fields?: FieldsByName }>;
    };
    getEnumsMetadata?(): readonly { readonly ref?: unknown }[];
  };
}

interface FieldsByName {
  getByName?(name: string): unknown;
  getAll?(): readonly { readonly name?: unknown }[];
}

interface FieldNotes {
  readonly description?: unknown;
  readonly typeFn?: () => unknown;
}

/** The properties of a class that `@Field` names, its bases included. */
export function graphqlProperties(type: Constructor): readonly string[] {
  const { GqlLazyMetadataStorageHost: lazy, GqlTypeMetadataStorage: stored } = globalThis as GraphqlStores;
  const fieldsByClass = stored?.metadataByTargetCollection?.storageMap;
  if (fieldsByClass === undefined) return [];
  try {
    lazy?.load?.([type], { skipFieldLazyMetadata: true });
    const fields = classChain(type).flatMap((each) => fieldsByClass.get(each)?.fields?.getAll?.() ?? []);
    return fields.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  } catch {
    return [];
  }
}

/** The options of `@Param` that `@Field` gives for a property: its description, and the enum that was registered. */
export function graphqlOptions(type: Constructor, property: string): Pick<ParamOptions, 'description' | 'enum'> {
  const { GqlLazyMetadataStorageHost: lazy, GqlTypeMetadataStorage: stored } = globalThis as GraphqlStores;
  const fieldsByClass = stored?.metadataByTargetCollection?.storageMap;
  if (fieldsByClass === undefined) return {};
  try {
    // Fields are put into the store when a schema is built, once each.
    lazy?.load?.([type], { skipFieldLazyMetadata: true });
    const owner = classChain(type).find((each) => fieldsByClass.get(each)?.fields?.getByName?.(property) !== undefined);
    if (owner === undefined) return {};
    const { description, typeFn } = fieldsByClass.get(owner)?.fields?.getByName?.(property) as FieldNotes;
    const values = typeFn?.();
    const isEnum = stored?.getEnumsMetadata?.().some(({ ref }) => ref === values) === true;
    return {
      ...(typeof description === 'string' && description.trim() !== '' ? { description } : {}),
      ...(isEnum ? { enum: values as NonNullable<ParamOptions['enum']> } : {}),
    };
  } catch {
    // A type that GraphQL cannot read is an error of its schema, which says so itself.
    return {};
  }
}

// Reads the options of `@Field` of @nestjs/graphql, which keeps them in global stores and not in the metadata of classes.
import { classChain } from '../../common/classes.js';
import type { Constructor } from '../../common/types.js';
import type { ParamOptions } from '../../metadata/args/ParamMetadataArgs.js';

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
  getByName?(name: string): FieldNotes | undefined;
  getAll?(): readonly { readonly name?: unknown }[];
}

interface FieldNotes {
  readonly description?: unknown;
  readonly typeFn?: () => unknown;
}

/** The properties of a class that `@Field` names, its bases included. */
export function graphqlProperties(type: Constructor): readonly string[] {
  try {
    const all = fieldsOf(type).flatMap((fields) => fields.getAll?.() ?? []);
    return all.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  } catch {
    // A type that GraphQL cannot read is an error of its schema, which says so itself.
    return [];
  }
}

/** The options of `@Param` that `@Field` gives for a property: its description, and the enum that was registered. */
export function graphqlOptions(type: Constructor, property: string): Pick<ParamOptions, 'description' | 'enum'> {
  try {
    const [notes] = fieldsOf(type).flatMap((fields) => fields.getByName?.(property) ?? []);
    if (notes === undefined) return {};
    const { description, typeFn } = notes;
    const values = typeFn?.();
    const { GqlTypeMetadataStorage: stored } = globalThis as GraphqlStores;
    const isEnum = stored?.getEnumsMetadata?.().some(({ ref }) => ref === values) === true;
    return {
      ...(typeof description === 'string' && description.trim() !== '' ? { description } : {}),
      ...(isEnum ? { enum: values as NonNullable<ParamOptions['enum']> } : {}),
    };
  } catch {
    return {};
  }
}

/** The fields of a class and of its bases, as GraphQL has stored them; empty without GraphQL. */
function fieldsOf(type: Constructor): readonly FieldsByName[] {
  const { GqlLazyMetadataStorageHost: lazy, GqlTypeMetadataStorage: stored } = globalThis as GraphqlStores;
  const fieldsByClass = stored?.metadataByTargetCollection?.storageMap;
  if (fieldsByClass === undefined) return [];
  // Fields are put into the store when a schema is built, once each.
  lazy?.load?.([type], { skipFieldLazyMetadata: true });
  return classChain(type).flatMap((each) => fieldsByClass.get(each)?.fields ?? []);
}

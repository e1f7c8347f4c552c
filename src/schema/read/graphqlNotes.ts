// Reads the options of `@Field` of @nestjs/graphql, which keeps them in global stores and not in the metadata of classes.
import { classChain } from '../../common/classes.js';
import type { Constructor } from '../../common/types.js';
import type { ParamOptions } from '../../metadata/args/ParamMetadataArgs.js';

/** The parts of the stores that are read; other versions of the package may lack any of them. */
interface GraphqlStores {
  readonly GqlLazyMetadataStorageHost?: {
    load?(types: readonly Constructor[], options: { readonly skipFieldLazyMetadata: boolean }): void;
  };
  readonly GqlTypeMetadataStorage?: {
    readonly metadataByTargetCollection?: {
      // Read directly, because the method `get` adds every class that it is asked for.
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

/** Lists the properties of a class and its bases that `@Field` names. */
export function readGraphqlProperties(type: Constructor): readonly string[] {
  try {
    const all = readStoredFields(type).flatMap((fields) => fields.getAll?.() ?? []);
    return all.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  } catch {
    // GraphQL reports types that it cannot read by itself.
    return [];
  }
}

/** Reads the options of `@Param` from `@Field`: the description, and a registered enum. */
export function readGraphqlOptions(type: Constructor, property: string): Pick<ParamOptions, 'description' | 'enum'> {
  try {
    const [notes] = readStoredFields(type).flatMap((fields) => fields.getByName?.(property) ?? []);
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

/** Reads the fields of a class and its bases from GraphQL's store; empty without GraphQL. */
function readStoredFields(type: Constructor): readonly FieldsByName[] {
  const { GqlLazyMetadataStorageHost: lazy, GqlTypeMetadataStorage: stored } = globalThis as GraphqlStores;
  const fieldsByClass = stored?.metadataByTargetCollection?.storageMap;
  if (fieldsByClass === undefined) return [];
  // GraphQL stores fields only when it builds a schema, and each one once.
  lazy?.load?.([type], { skipFieldLazyMetadata: true });
  return classChain(type).flatMap((each) => fieldsByClass.get(each)?.fields ?? []);
}

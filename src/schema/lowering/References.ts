import { MAX_INLINED_REFERENCES } from '../../common/limits.js';
import type { JsonSchema } from '../../common/types.js';
import { getOrCreate } from '../../common/memoize.js';
import { findReferenced } from '../standard/schemaTree.js';
import { listChildren } from './listChildren.js';

/** Resolves the references of one schema, and finds the schemas that they reach. */
export class References {
  readonly #root: JsonSchema;
  readonly #targets = new Map<JsonSchema, readonly JsonSchema[]>();
  readonly #reached = new Map<JsonSchema, ReadonlySet<JsonSchema>>();

  #inlined = 0;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** Returns the target of a reference; undefined if it does not exist or is outside of the document. */
  target(reference: unknown): JsonSchema | undefined {
    return findReferenced(this.#root, String(reference));
  }

  /** Checks whether the target of a reference is the given schema, or refers to it, directly or through others. */
  leadsTo(reference: unknown, place: JsonSchema | undefined): boolean {
    const target = this.target(reference);
    return target !== undefined && place !== undefined && (target === place || this.#findReachable(target).has(place));
  }

  /** Checks whether the target of a reference refers to itself, directly or through others. */
  isRecursive(reference: unknown): boolean {
    const target = this.target(reference);
    return target !== undefined && this.#findReachable(target).has(target);
  }

  /** Returns the target of a reference, to write it inline; undefined if it is recursive or the limit is reached. */
  inlineTarget(reference: unknown): JsonSchema | undefined {
    if (this.#inlined >= MAX_INLINED_REFERENCES || this.isRecursive(reference)) return undefined;
    this.#inlined++;
    return this.target(reference);
  }

  #findReachable(start: JsonSchema): ReadonlySet<JsonSchema> {
    return getOrCreate(this.#reached, start, () => {
      const reached = new Set<JsonSchema>(this.#listTargets(start));
      // Includes the targets that are added meanwhile.
      for (const next of reached) for (const target of this.#listTargets(next)) reached.add(target);
      return reached;
    });
  }

  /** Lists the targets of the references in a schema; cached, because definitions that refer to each other need them repeatedly. */
  #listTargets(schema: JsonSchema): readonly JsonSchema[] {
    return getOrCreate(this.#targets, schema, () =>
      [...new Set(listReferences(schema))].flatMap<JsonSchema>((reference) => this.target(reference) ?? []),
    );
  }
}

/** Lists every reference in a schema, except in its definitions: a definition counts where it is referred to. */
export function listReferences(schema: JsonSchema): readonly unknown[] {
  const inside = listChildren(schema).flatMap(({ keyword, schema: child }) =>
    keyword === '$defs' || keyword === 'definitions' ? [] : listReferences(child),
  );
  return schema['$ref'] === undefined ? inside : [schema['$ref'], ...inside];
}

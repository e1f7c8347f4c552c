import { isObject } from '../../common/guards.js';
import { getOwnValue } from '../../common/objects.js';
import { keyText } from '../../common/text.js';
import type { JsonSchema } from '../../common/types.js';
import { listAlternatives, isSchema, listItemSchemas, listPropertySchemas } from './schemaTree.js';

/** A place in a value, by its path, and its JSON Schema. */
export interface Place {
  /** The path in our format: `items[3].qty`, `m[key]`. */
  readonly path: string;
  readonly value: unknown;
  /** False if there is no value at the path. */
  readonly present: boolean;
  /** Every schema that may apply to the place; empty if none is known. */
  readonly schemas: readonly JsonSchema[];
  /** True if the enclosing object declares the place by name. */
  readonly declared: boolean;
  /** True if the enclosing object declares all its keys, and this is not one of them. */
  readonly undeclared: boolean;
  /** Keys that the enclosing object declares and does not have: candidates for a misspelt name. */
  readonly siblings: readonly string[];
}

/** Follows a path through a value and its JSON Schema in parallel. */
export function locateValue(root: JsonSchema, value: unknown, keys: readonly PropertyKey[]): Place {
  let place: Place = {
    path: '',
    value,
    present: true,
    schemas: listAlternatives(root, [root]),
    declared: true,
    undeclared: false,
    siblings: [],
  };
  for (const key of keys) {
    place = Array.isArray(place.value) ? stepIntoArray(root, place, key) : stepIntoObject(root, place, key);
  }
  return place;
}

function stepIntoArray(root: JsonSchema, { path, value, schemas }: Place, key: PropertyKey): Place {
  const index = Number(String(key));
  const items = value as readonly unknown[];
  return {
    path: `${path}[${keyText(String(key))}]`,
    value: items[index],
    present: index in items,
    schemas: listItemSchemas(root, schemas, index),
    declared: false,
    undeclared: false,
    siblings: [],
  };
}

function stepIntoObject(root: JsonSchema, { path, value, schemas }: Place, key: PropertyKey): Place {
  const name = String(key);
  const inner = getOwnValue(value, name);
  const { declared, schemas: own } = listPropertySchemas(root, schemas, name);
  const isEntry = !declared && own.length > 0;
  const step = declared ? name : keyText(name);
  return {
    path: isEntry || typeof key === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`,
    value: inner,
    present: inner !== undefined,
    schemas: own,
    declared,
    undeclared: !declared && !isEntry && schemas.some(({ additionalProperties }) => additionalProperties === false),
    siblings: schemas
      .flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : []))
      .filter((other) => !(isObject(value) && Object.hasOwn(value, other))),
  };
}

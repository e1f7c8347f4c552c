import { keyText } from '../../common/text.js';
import type { JsonSchema } from '../../common/types.js';
import { alternatives, isSchema, itemSchemas, propertySchemas } from './schemaTree.js';

/** A place in a value that a path leads to, and its JSON Schema. */
export interface Place {
  /** In our form: `items[3].qty`, `m[key]`. */
  readonly path: string;
  readonly value: unknown;
  /** False when the path leads to something that is not there. */
  readonly present: boolean;
  /** Every schema that may hold here; empty when nothing is known. */
  readonly schemas: readonly JsonSchema[];
  /** True when the object around it names all its keys, and not this one. */
  readonly undeclared: boolean;
  /** Names that the object around it declares and does not have: what a wrong name may have meant. */
  readonly siblings: readonly string[];
}

/** Follows a path through a value and its JSON Schema at once. */
export function locate(root: JsonSchema, value: unknown, keys: readonly PropertyKey[]): Place {
  let place: Place = {
    path: '',
    value,
    present: true,
    schemas: alternatives(root, root),
    undeclared: false,
    siblings: [],
  };
  for (const key of keys) {
    place = Array.isArray(place.value) ? inArray(root, place, key) : inObject(root, place, key);
  }
  return place;
}

function inArray(root: JsonSchema, { path, value, schemas }: Place, key: PropertyKey): Place {
  const index = Number(String(key));
  const items = value as readonly unknown[];
  return {
    path: `${path}[${keyText(String(key))}]`,
    value: items[index],
    present: index in items,
    schemas: itemSchemas(root, schemas, index),
    undeclared: false,
    siblings: [],
  };
}

function inObject(root: JsonSchema, { path, value, schemas }: Place, key: PropertyKey): Place {
  const name = String(key);
  const inner: unknown = hasKey(value, name) ? value[name] : undefined;
  const { declared, schemas: own } = propertySchemas(root, schemas, name);
  const isEntry = !declared && own.length > 0;
  const step = declared ? name : keyText(name);
  return {
    path: isEntry || typeof key === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`,
    value: inner,
    present: inner !== undefined,
    schemas: own,
    undeclared: !declared && !isEntry && schemas.some(({ additionalProperties }) => additionalProperties === false),
    siblings: schemas
      .flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : []))
      .filter((other) => !hasKey(value, other)),
  };
}

function hasKey(value: unknown, key: string): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

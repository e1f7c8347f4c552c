import type { ValidateFunction } from 'ajv/dist/2020';
import type { JsonSchema } from 'toolwright';
import { allowNull } from '../../../src/schema/emit/writeClassSchema';
import { isSchema, findReferenced } from '../../../src/schema/standard/schemaTree';
import { compiled } from './compiled';

/** Null for every property that a class leaves out, as OpenAI's strict mode sends it. */
export function withNulls(root: JsonSchema, value: unknown): unknown {
  return new Walk(root, 'fill').at(root, value);
}

/** The value without the nulls that mean absence. */
export function withoutNulls(root: JsonSchema, value: unknown): unknown {
  return new Walk(root, 'strip').at(root, value);
}

const validators = new WeakMap<JsonSchema, ValidateFunction>();

/** Goes through a value along the schema of its class. */
class Walk {
  readonly #root: JsonSchema;
  readonly #way: 'fill' | 'strip';

  constructor(root: JsonSchema, way: 'fill' | 'strip') {
    this.#root = root;
    this.#way = way;
  }

  at(schema: JsonSchema, value: unknown): unknown {
    const { $ref, anyOf, items, prefixItems, additionalProperties } = schema;
    if (typeof $ref === 'string') return this.at(findReferenced(this.#root, $ref)!, value);
    if (Array.isArray(anyOf)) return this.#branch(anyOf as readonly JsonSchema[], value);
    if (Array.isArray(value)) {
      const places = Array.isArray(prefixItems) ? (prefixItems as readonly JsonSchema[]) : undefined;
      return value.map((item: unknown, index) => {
        const place = places === undefined ? items : places[index];
        return isSchema(place) ? this.at(place, item) : item;
      });
    }
    if (!isSchema(value)) return value;
    if (isSchema(schema['properties'])) return this.#object(schema, value);
    if (!isSchema(additionalProperties)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.at(additionalProperties, entry)]));
  }

  #object({ properties, required }: JsonSchema, value: JsonSchema): unknown {
    const names = new Set((required ?? []) as readonly string[]);
    const declared = Object.entries(properties as Readonly<Record<string, JsonSchema>>);
    const entries = declared.flatMap(([name, property]) => {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (given === undefined) return this.#way === 'fill' && !names.has(name) ? [[name, null] as const] : [];
      const isAbsence = given === null && !names.has(name) && allowNull(property) !== property;
      return this.#way === 'strip' && isAbsence ? [] : [[name, this.at(property, given)] as const];
    });
    const others = Object.entries(value).filter(([name]) => !declared.some(([known]) => known === name));
    return Object.fromEntries([...entries, ...others]);
  }

  /** The alternative that the value is of: the first that accepts it once nulls mean absence. */
  #branch(branches: readonly JsonSchema[], value: unknown): unknown {
    const stripping = new Walk(this.#root, 'strip');
    const branch = branches.find((option) => this.#takes(option, stripping.at(option, value)));
    return branch === undefined ? value : this.at(branch, value);
  }

  #takes(branch: JsonSchema, value: unknown): boolean {
    const known = validators.get(branch) ?? compiled({ ...branch, $defs: this.#root['$defs'] ?? {} });
    validators.set(branch, known);
    return known(value);
  }
}

import type { JsonSchema } from '../common/types.js';
import type { FieldShape, TypeShape } from '../metadata/ClassShape.js';
import { isSchema, findReferenced } from '../schema/standard/schemaTree.js';

type EnumShape = Extract<TypeShape, { readonly kind: 'enum' }>;

const SCALARS: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null']);

/**
 * Derives the type of a result from its JSON Schema, for the same structural check that results of classes get: types,
 * properties, required ones, items and enums. Anything else is allowed (decision 14).
 */
export function readSchemaShape(schema: JsonSchema): TypeShape {
  return new SchemaReader(schema).type(schema);
}

class SchemaReader {
  readonly #root: JsonSchema;
  readonly #known = new Map<JsonSchema, TypeShape>();

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** @param unions the directly enclosing unions: a union that contains itself says nothing */
  type(written: unknown, unions: readonly JsonSchema[] = []): TypeShape {
    const schema = this.#followReference(written);
    if (schema === undefined || unions.includes(schema)) return { kind: 'any' };
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    // Filled in below: a recursive schema refers to this object.
    const shape: TypeShape = { kind: 'any' };
    this.#known.set(schema, shape);
    return Object.assign(shape, this.#read(schema, [...unions, schema]));
  }

  /** Returns the target of a reference. Returns undefined for a dangling or cyclic one, and for `true` and `false`. */
  #followReference(written: unknown): JsonSchema | undefined {
    const passed = new Set<unknown>();
    let schema: unknown = written;
    while (isSchema(schema) && typeof schema['$ref'] === 'string' && !passed.has(schema)) {
      passed.add(schema);
      schema = findReferenced(this.#root, schema['$ref']);
    }
    return isSchema(schema) && !passed.has(schema) ? schema : undefined;
  }

  #read(schema: JsonSchema, unions: readonly JsonSchema[]): TypeShape {
    const { type, enum: values, const: only, anyOf, oneOf = anyOf } = schema;
    if (only !== undefined) return createEnumShape([only]);
    if (Array.isArray(values)) return createEnumShape(values);
    if (Array.isArray(oneOf)) return this.#oneOf(oneOf, unions);
    if (Array.isArray(type))
      return this.#oneOf(
        type.map((one: unknown) => ({ ...schema, type: one })),
        unions,
      );
    if (type === 'string' && schema['format'] === 'date-time') return { kind: 'date' };
    if (type === 'array') return this.#array(schema);
    if (type === 'object' || (type === undefined && isSchema(schema['properties']))) return this.#readObject(schema);
    return SCALARS.has(type) ? ({ kind: type } as TypeShape) : { kind: 'any' };
  }

  #oneOf(options: readonly unknown[], unions: readonly JsonSchema[]): TypeShape {
    return { kind: 'oneOf', options: options.map((option) => this.type(option, unions)) };
  }

  #array({ prefixItems, items, minItems }: JsonSchema): TypeShape {
    if (!Array.isArray(prefixItems)) return { kind: 'array', items: this.type(items) };
    // A list may be shorter than its prefix items, unless the schema fixes its length.
    return items === false && minItems === prefixItems.length
      ? { kind: 'tuple', items: prefixItems.map((item) => this.type(item)) }
      : { kind: 'array', items: { kind: 'any' } };
  }

  #readObject({ title, properties, required, additionalProperties }: JsonSchema): TypeShape {
    if (!isSchema(properties)) return { kind: 'record', values: this.type(additionalProperties) };
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    const fields = Object.entries(properties).map(([property, schema]) =>
      createFieldShape(property, this.type(schema), !needed.includes(property)),
    );
    const type = class {};
    const name = typeof title === 'string' ? title : 'Result';
    Object.defineProperty(type, 'name', { value: name });
    const byWireName = new Map(fields.map((field) => [field.wireName, field]));
    return { kind: 'object', shape: { type, name, fields, byWireName, fullPath: undefined } };
  }
}

function createEnumShape(values: readonly unknown[]): TypeShape {
  const isScalar = (value: unknown): boolean =>
    value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return values.every(isScalar) ? { kind: 'enum', values: values as EnumShape['values'] } : { kind: 'any' };
}

function createFieldShape(property: string, type: TypeShape, optional: boolean): FieldShape {
  return {
    property,
    wireName: property,
    type,
    optional,
    get nullable() {
      return holdsNull(type);
    },
    description: undefined,
    secret: false,
    default: undefined,
    explicitDefault: undefined,
    checks: [],
    conversion: undefined,
    condition: undefined,
    libraryName: property,
  };
}

function holdsNull(type: TypeShape): boolean {
  if (type.kind === 'oneOf') return type.options.some(holdsNull);
  return type.kind === 'any' || type.kind === 'null' || (type.kind === 'enum' && type.values.includes(null));
}

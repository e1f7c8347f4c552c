import type { JsonSchema } from '../../common/types.js';
import { getOrCreate } from '../../common/memoize.js';
import type { ClassShape, FieldShape, TypeShape } from '../../metadata/ClassShape.js';
import { listOwnShapes, listParts, someType } from '../read/typeParts.js';
import { mayBeAbsent } from '../rules/defaults.js';
import { getJsonType } from '../standard/jsonTypes.js';

/**
 * Writes the JSON Schema (draft 2020-12) of a class: keys in the order of declaration, no extra properties, `$defs` only for
 * classes that occur repeatedly or recursively (docs/contract.md, 2).
 */
export function writeClassSchema(shape: ClassShape): JsonSchema {
  return writeShapeSchema({ kind: 'object', shape });
}

/** Writes the JSON Schema of any type. */
export function writeShapeSchema(type: TypeShape): JsonSchema {
  const writer = new SchemaWriter(countUses(type));
  const root = type.kind === 'object' ? writer.inline(type.shape) : writer.type(type);
  return writer.definitions.size === 0 ? root : { ...root, $defs: Object.fromEntries(writer.definitions) };
}

/** Writes schemas that share their definitions. */
export class SchemaWriter {
  readonly definitions = new Map<string, JsonSchema>();
  readonly #uses: ReadonlyMap<ClassShape, number> | undefined;
  readonly #names = new Map<ClassShape, Map<string, string>>();

  /** @param uses the number of uses of each class: classes used once are written inline; without `uses`, no class is */
  constructor(uses?: ReadonlyMap<ClassShape, number>) {
    this.#uses = uses;
  }

  type(type: TypeShape): JsonSchema {
    switch (type.kind) {
      case 'any':
        return {};
      case 'date':
        return { type: 'string', format: 'date-time' };
      case 'enum':
        return writeEnumSchema(type.values);
      case 'array':
        return { type: 'array', items: this.type(type.items) };
      case 'record':
        return { type: 'object', additionalProperties: this.type(type.values) };
      case 'tuple':
        return {
          type: 'array',
          prefixItems: type.items.map((item) => this.type(item)),
          items: false,
          minItems: type.items.length,
          maxItems: type.items.length,
        };
      case 'oneOf':
        return { anyOf: type.options.map((option) => this.type(option)) };
      case 'discriminated':
        return { anyOf: type.subTypes.map(({ name, shape }) => this.#writeTagged(type.property, name, shape)) };
      case 'object':
        return this.#writeClass(type.shape.name, type.shape, () => this.inline(type.shape));
      default:
        return { type: type.kind };
    }
  }

  inline(shape: ClassShape): JsonSchema {
    const required = shape.fields.filter((field) => !mayBeAbsent(field)).map(({ wireName }) => wireName);
    return {
      type: 'object',
      properties: Object.fromEntries(shape.fields.map((field) => [field.wireName, this.#writeField(field)])),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    };
  }

  /** Writes a class with the key that distinguishes it from its siblings. */
  #writeTagged(property: string, name: string, shape: ClassShape): JsonSchema {
    const tagged = (): JsonSchema => {
      const { properties, required = [], ...rest } = this.inline(shape);
      return {
        ...rest,
        properties: { [property]: { type: 'string', const: name }, ...(properties as JsonSchema) },
        required: [property, ...(required as readonly string[]).filter((key) => key !== property)],
      };
    };
    return this.#writeClass(`${shape.name}_${name}`, shape, tagged);
  }

  /**
   * Writes a class that is used once inline, and any other as a reference, with its definition on first use. Two classes of the same
   * name get two definitions.
   */
  #writeClass(name: string, shape: ClassShape, write: () => JsonSchema): JsonSchema {
    if (this.#uses !== undefined && (this.#uses.get(shape) ?? 1) <= 1) return write();
    const names = getOrCreate(this.#names, shape, () => new Map<string, string>());
    let unique = names.get(name);
    if (unique === undefined) {
      unique = name;
      for (let copy = 2; this.definitions.has(unique); copy++) unique = `${name}${String(copy)}`;
      names.set(name, unique);
      // Registered before it is written, because a recursive class refers to itself.
      this.definitions.set(unique, {});
      this.definitions.set(unique, write());
    }
    return { $ref: `#/$defs/${unique}` };
  }

  #writeField(field: FieldShape): JsonSchema {
    // Conditional rules do not always hold; in the schema they would refuse valid values.
    const rules = field.condition === undefined ? field.checks : [];
    const own: Record<string, unknown> = { ...this.type(field.type) };
    for (const { each, schema } of rules) if (!each) tightenSchema(own, schema ?? {});
    const eachRules = rules.filter(({ each, schema }) => each && schema !== undefined);
    if (eachRules.length > 0) {
      const items: Record<string, unknown> = { ...(own['items'] as JsonSchema | undefined) };
      for (const { schema } of eachRules) tightenSchema(items, schema ?? {});
      own['items'] = items;
    }
    return {
      ...(field.nullable ? allowNull(own) : own),
      ...writeDescription(field),
      ...(field.default === undefined ? {} : { default: writeDefault(field.default.value) }),
    };
  }
}

/** Describes dates, because `format: date-time` does not say how a missing zone is read. */
const DATE_NOTE = 'ISO 8601; UTC without a zone.';

function writeDescription({ description, type }: FieldShape): JsonSchema {
  // Classes describe the dates of their own properties.
  if (!someType(type, ({ kind }) => kind === 'date')) return description === undefined ? {} : { description };
  if (description === undefined) return { description: DATE_NOTE };
  return { description: `${/[.!?:;]$/.test(description) ? description : `${description}.`} ${DATE_NOTE}` };
}

const NULL: JsonSchema = { type: 'null' };

/** Keywords that may refuse null, whatever `type` says. */
const DECISIVE = ['$ref', 'const', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];
const DESCRIBING = new Set(['title', 'description', 'default', 'examples']);

/** Returns the schema with null allowed as well; the same object if it already accepts null. */
export function allowNull(schema: JsonSchema): JsonSchema {
  if (takesNull(schema)) return schema;
  const { type, enum: values, anyOf } = schema;
  if (type !== undefined && !DECISIVE.some((keyword) => keyword in schema)) {
    const types: readonly unknown[] = Array.isArray(type) ? type : [type];
    return {
      ...schema,
      type: [...new Set([...types, 'null'])],
      ...(Array.isArray(values) ? { enum: [...new Set([...(values as readonly unknown[]), null])] } : {}),
    };
  }
  const says = Object.entries(schema).filter(([keyword]) => !DESCRIBING.has(keyword));
  if (Array.isArray(anyOf) && says.length === 1) return { ...schema, anyOf: [...(anyOf as readonly unknown[]), NULL] };
  // Descriptive keywords stay outside, where a model looks for them.
  const annotations = Object.entries(schema).filter(([keyword]) => DESCRIBING.has(keyword));
  return { anyOf: [Object.fromEntries(says), NULL], ...Object.fromEntries(annotations) };
}

function takesNull(schema: JsonSchema): boolean {
  const { type, enum: values, anyOf } = schema;
  if (DECISIVE.some((keyword) => keyword !== 'anyOf' && keyword in schema)) return false;
  if (Array.isArray(anyOf) && !(anyOf as readonly JsonSchema[]).some(takesNull)) return false;
  if (Array.isArray(values) && !values.includes(null)) return false;
  return type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null'));
}

function writeEnumSchema(values: readonly unknown[]): JsonSchema {
  const types = new Set(values.map(getJsonType));
  const [first, ...others] = types;
  return { type: others.length === 0 ? first : [first, ...others], enum: values };
}

function writeDefault(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** Counts the uses of each class within a type; a class inside itself counts twice. */
function countUses(root: TypeShape): ReadonlyMap<ClassShape, number> {
  const uses = new Map<ClassShape, number>();
  const visit = (type: TypeShape): void => {
    listParts(type).forEach(visit);
    for (const shape of listOwnShapes(type)) {
      const count = (uses.get(shape) ?? 0) + 1;
      uses.set(shape, count);
      if (count === 1) for (const field of shape.fields) visit(field.type);
    }
  };
  visit(root);
  return uses;
}

const LOWER_BOUNDS = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems']);
const UPPER_BOUNDS = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems']);

/** Adds a rule to a schema: keeps the tighter of two bounds, and moves other conflicts, such as a second pattern, to `allOf`. */
function tightenSchema(own: Record<string, unknown>, rule: JsonSchema): void {
  for (const [keyword, value] of Object.entries(rule)) {
    const known = own[keyword];
    if (known === undefined || known === value) own[keyword] = value;
    else if (LOWER_BOUNDS.has(keyword)) own[keyword] = Math.max(known as number, value as number);
    else if (UPPER_BOUNDS.has(keyword)) own[keyword] = Math.min(known as number, value as number);
    else own['allOf'] = [...((own['allOf'] as readonly JsonSchema[] | undefined) ?? []), { [keyword]: value }];
  }
}

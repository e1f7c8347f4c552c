import type { JsonSchema } from 'toolwright';
import { guestGlobals, isSchema, findReferenced } from 'toolwright/internal';
import { MAX_LINE_TYPE_CHARS } from '../limits.js';
import { isTakenType } from './libraryTypes.js';
import { writeComment, writeLiteral, writePropertyName } from './writeTokens.js';

interface Written {
  readonly text: string;
  /** True if it needs parentheses within a larger type. */
  readonly isCompound: boolean;
}

interface Property {
  readonly name: string;
  readonly type: string;
  readonly comment: string;
}

/**
 * Writes JSON Schemas as TypeScript. Schemas with a name, from their definition or title, become interfaces, each written once
 * per writer.
 */
export class TypeWriter {
  /** Declarations of the named types, in the order of their first use. */
  readonly named = new Map<string, string>();
  readonly #names = new Map<JsonSchema | string, string>();
  /** The type of a schema without constraints. */
  readonly anything: 'any' | 'unknown';

  constructor(anything: 'any' | 'unknown') {
    this.anything = anything;
  }

  /** @param root the schema that references are resolved against */
  type(schema: unknown, root: JsonSchema): string {
    return this.#write(schema, root).text;
  }

  /** Writes the schema in place, whatever its name. */
  inline(schema: JsonSchema, root: JsonSchema): string {
    return this.#writeStructure(schema, root).text;
  }

  #write(schema: unknown, root: JsonSchema): Written {
    if (schema === false) return toWritten('never');
    if (!isSchema(schema)) return toWritten(this.anything);
    const { $ref, title } = schema;
    if (typeof $ref === 'string') return toWritten(this.#writeReference($ref, root));
    const isNamed = typeof title === 'string' && isSchema(schema['properties']);
    return isNamed ? toWritten(this.#nameType(schema, title, root)) : this.#writeStructure(schema, root);
  }

  #writeReference(reference: string, root: JsonSchema): string {
    const target = findReferenced(root, reference);
    if (target === undefined) return this.anything;
    const { title } = target;
    return this.#nameType(target, typeof title === 'string' ? title : (reference.split('/').at(-1) ?? ''), root);
  }

  #nameType(schema: JsonSchema, wanted: string, root: JsonSchema): string {
    // Equal schemas of two tools share one type, except those with references, whose meaning depends on their root.
    const text = JSON.stringify(schema);
    const key = text.includes('"$ref"') ? schema : `${wanted} ${text}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const spelled = wanted.replace(/[^A-Za-z0-9_$]/g, '_').replace(/^(?=\d|$)/, '_');
    let name = spelled;
    for (let copy = 2; this.named.has(name) || guestGlobals.has(name) || isTakenType(name); copy++)
      name = `${spelled}${String(copy)}`;
    // Registered before it is written: a type may be recursive.
    this.#names.set(key, name);
    this.named.set(name, '');
    const structure = this.#writeStructure(schema, root).text;
    const isObject = isSchema(schema['properties']);
    const declaration = isObject ? `interface ${name} ${structure}` : `type ${name} = ${structure};`;
    this.named.set(name, writeComment(schema) + declaration);
    return name;
  }

  #writeStructure(schema: JsonSchema, root: JsonSchema): Written {
    const { type, enum: values, const: only, anyOf, oneOf = anyOf, allOf } = schema;
    if (only !== undefined) return toWritten(writeLiteral(only));
    if (Array.isArray(values)) return joinTypes(values.map(writeLiteral), ' | ');
    if (Array.isArray(oneOf)) return joinTypes(this.#writeEach(oneOf, root), ' | ');
    if (Array.isArray(allOf)) return this.#writeIntersection(allOf, root);
    if (Array.isArray(type)) {
      const each = type.map((one: unknown) => this.#writeStructure({ ...schema, type: one }, root).text);
      return joinTypes(each, ' | ');
    }
    switch (type) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return toWritten(type);
      case 'integer':
        return toWritten('number');
      case 'array':
        return toWritten(this.#writeArray(schema, root));
      case 'object':
        return toWritten(this.#writeObject(schema, root));
      default:
        return toWritten(isSchema(schema['properties']) ? this.#writeObject(schema, root) : this.anything);
    }
  }

  #writeEach(schemas: readonly unknown[], root: JsonSchema): readonly string[] {
    return schemas.map((schema) => this.type(schema, root));
  }

  #writeIntersection(members: readonly unknown[], root: JsonSchema): Written {
    const types = members.map((member) => this.#writeGrouped(member, root)).filter((type) => type !== this.anything);
    return types.length === 0 ? toWritten(this.anything) : joinTypes(types, ' & ');
  }

  #writeGrouped(schema: unknown, root: JsonSchema): string {
    const { text, isCompound } = this.#write(schema, root);
    return isCompound ? `(${text})` : text;
  }

  #writeArray({ prefixItems, items, minItems }: JsonSchema, root: JsonSchema): string {
    if (!Array.isArray(prefixItems)) return `${this.#writeGrouped(items, root)}[]`;
    const needed = typeof minItems === 'number' ? minItems : 0;
    const first = prefixItems.map((item, index) => `${this.#writeGrouped(item, root)}${index < needed ? '' : '?'}`);
    return `[${[...first, ...(items === false ? [] : [`...${this.#writeGrouped(items, root)}[]`])].join(', ')}]`;
  }

  #writeObject({ properties, required, additionalProperties }: JsonSchema, root: JsonSchema): string {
    if (!isSchema(properties)) {
      return additionalProperties === false ? '{}' : `Record<string, ${this.type(additionalProperties, root)}>`;
    }
    const needed: readonly unknown[] = Array.isArray(required) ? required : [];
    const isOpen = additionalProperties !== undefined && additionalProperties !== false;
    return writeObjectType([
      ...Object.entries(properties).map(([key, schema]) => ({
        name: `${writePropertyName(key)}${needed.includes(key) ? '' : '?'}`,
        type: this.type(schema, root),
        comment: isSchema(schema) ? writeComment(schema) : '',
      })),
      ...(isOpen ? [{ name: '[key: string]', type: this.type(additionalProperties, root), comment: '' }] : []),
    ]);
  }
}

function writeObjectType(properties: readonly Property[]): string {
  const short = `{ ${properties.map(({ name, type }) => `${name}: ${type}`).join('; ')} }`;
  const isPlain = properties.every(({ type, comment: said }) => said === '' && !type.includes('\n'));
  if (properties.length === 0) return '{}';
  if (isPlain && short.length <= MAX_LINE_TYPE_CHARS) return short;
  const lines = properties.map(({ name, type, comment: said }) => indentLines(`${said}${name}: ${type};`));
  return `{\n${lines.join('\n')}\n}`;
}

function indentLines(text: string): string {
  return text.replace(/^/gm, '  ');
}

function toWritten(text: string): Written {
  return { text, isCompound: false };
}

function joinTypes(types: readonly string[], sign: string): Written {
  const different = [...new Set(types)];
  return { text: different.join(sign) || 'never', isCompound: different.length > 1 };
}

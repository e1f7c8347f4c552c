import fc from 'fast-check';
import type { JsonSchema } from 'toolwright';
import { isSchema, findReferenced } from '../../../src/schema/standard/schemaTree';

const samples: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2030-01-01T12:00:00.000Z', '1999-12-31T23:59:59.123Z'],
  email: ['ann@example.org'],
  uri: ['https://example.org/a'],
  date: ['2030-02-28'],
  ipv4: ['127.0.0.1'],
  ipv6: ['::1'],
  uuid: ['9b2f1a52-6f0c-4d2c-9d4e-2f6d7f1f0001'],
};

const patterns = new Map<string, fc.Arbitrary<string>>();

/** Texts of a pattern; made once, since that costs more than most of its texts. */
function matching(pattern: string): fc.Arbitrary<string> {
  const made = patterns.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'));
  patterns.set(pattern, made);
  return made;
}

/** Values that a schema takes, as JSON carries them. Of what refers to itself, at most a few levels. */
export function valuesOf(root: JsonSchema): fc.Arbitrary<unknown> {
  return new Values(root).of(root, 3).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
}

class Values {
  readonly #root: JsonSchema;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  of(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    const { $ref, anyOf, enum: values, const: only, type } = schema;
    if (typeof $ref === 'string') return this.of(findReferenced(this.#root, $ref)!, depth - 1);
    if (Array.isArray(anyOf)) return this.#any(anyOf as readonly JsonSchema[], depth);
    if (Array.isArray(values)) return fc.constantFrom(...(values as readonly unknown[]));
    if (only !== undefined) return fc.constant(only);
    if (Array.isArray(type)) return fc.oneof(...type.map((one: unknown) => this.of({ ...schema, type: one }, depth)));
    switch (type) {
      case 'string':
        return this.#text(schema);
      case 'integer':
      case 'number':
        return this.#number(schema);
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return this.#list(schema, depth);
      case 'object':
        return this.#object(schema, depth);
      default:
        return fc.jsonValue({ maxDepth: 1 });
    }
  }

  /** At the last level only what ends: null, or something that refers to nothing. */
  #any(schemas: readonly JsonSchema[], depth: number): fc.Arbitrary<unknown> {
    const ending = schemas.filter((schema) => !('$ref' in schema));
    return fc.oneof(...(depth <= 0 && ending.length > 0 ? ending : schemas).map((schema) => this.of(schema, depth)));
  }

  #text({ pattern, format, minLength, maxLength, allOf }: JsonSchema): fc.Arbitrary<unknown> {
    if (typeof pattern === 'string') {
      const others = ((allOf ?? []) as readonly JsonSchema[]).map((part) => new RegExp(part['pattern'] as string, 'u'));
      return matching(pattern).filter(
        (text) => others.every((other) => other.test(text)) && text.length >= Number(minLength ?? 0),
      );
    }
    if (typeof format === 'string') return fc.constantFrom(...samples[format]!);
    const least = Number(minLength ?? 0);
    return fc.string({ minLength: least, maxLength: Number(maxLength ?? least + 5), unit: 'grapheme-ascii' });
  }

  #number({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): fc.Arbitrary<unknown> {
    const min = Math.max(Number(minimum ?? -9), Number(exclusiveMinimum ?? -10) + 1);
    const max = Math.min(Number(maximum ?? Math.max(9, min)), Number(exclusiveMaximum ?? Math.max(10, min + 1)) - 1);
    const whole = fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
    return type === 'integer' ? whole : fc.oneof(whole, fc.double({ min, max, noNaN: true }));
  }

  #list({ items, prefixItems, minItems, maxItems }: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    const least = Number(minItems ?? 0);
    if (Array.isArray(prefixItems)) {
      return fc.tuple(...(prefixItems as readonly JsonSchema[]).map((item) => this.of(item, depth)));
    }
    if (!isSchema(items) || (depth <= 0 && least === 0)) return fc.constant([]);
    return fc.array(this.of(items, depth), {
      minLength: least,
      maxLength: Math.min(Number(maxItems ?? least + 2), least + 2),
    });
  }

  #object({ properties, required, additionalProperties }: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    const declared = Object.entries(isSchema(properties) ? properties : {}) as readonly (readonly [
      string,
      JsonSchema,
    ])[];
    const names = (required ?? []) as readonly string[];
    const kept = declared.filter(([name]) => depth > 0 || names.includes(name));
    const own = fc.record(Object.fromEntries(kept.map(([name, schema]) => [name, this.of(schema, depth)])), {
      requiredKeys: [...names],
    });
    if (!isSchema(additionalProperties)) return own;
    const others = fc.dictionary(fc.string({ maxLength: 3 }), this.of(additionalProperties, depth), { maxKeys: 2 });
    return fc.tuple(others, own).map(([map, fields]) => ({ ...map, ...fields }));
  }
}

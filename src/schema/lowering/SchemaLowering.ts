import type { JsonSchema } from '../../common/types.js';
import type { SchemaLoss } from '../../interface/ModelAdapter.js';
import { nullable } from '../jsonSchema.js';
import { isSchema } from '../standard/schemaTree.js';
import { pointerStep, typesOf } from './children.js';
import type { Dialect } from './Dialect.js';
import { isMeaningful, looksAround, typeOfValue, withType } from './keywords.js';
import { mergeAllOf } from './mergeAllOf.js';
import { References } from './References.js';
import { splitTypes } from './splitTypes.js';
import { withWords } from './words.js';

/** A schema on its way: what it says in the dialect, and what its description has to say. */
interface Draft {
  readonly source: JsonSchema;
  readonly path: string;
  readonly kept: Record<string, unknown>;
  readonly told: Record<string, unknown>;
}

type Rewrite = (draft: Draft, value: unknown) => void;

/** Writes one schema in one dialect, and keeps account of everything that the dialect cannot say. */
export class SchemaLowering {
  readonly losses: SchemaLoss[] = [];
  readonly #dialect: Dialect;
  readonly #root: JsonSchema;
  readonly #references: References;
  /** The definition that is being written, or the root. */
  #owner: JsonSchema;

  /** Keywords that hold schemas or depend on others; what is not here is said as it is, or told. */
  readonly #structure: Readonly<Record<string, Rewrite>> = {
    properties: (draft, value) => this.#properties(draft, value as JsonSchema),
    required: (draft, value) => this.#required(draft, value as readonly string[]),
    additionalProperties: (draft, value) => this.#additionalProperties(draft, value),
    patternProperties: (draft, value) => this.#patternProperties(draft, value),
    items: (draft, value) => this.#items(draft, value),
    prefixItems: (draft, value) => this.#prefixItems(draft, value as readonly unknown[]),
    anyOf: (draft, value) => this.#alternatives(draft, 'anyOf', value as readonly unknown[]),
    oneOf: (draft, value) => this.#oneOf(draft, value as readonly unknown[]),
    $defs: (draft, value) => this.#definitions(draft, '$defs', value as JsonSchema),
    // The older name; hardly any provider knows both.
    definitions: (draft, value) => this.#definitions(draft, 'definitions', value as JsonSchema),
  };

  constructor(root: JsonSchema, dialect: Dialect) {
    this.#root = root;
    this.#dialect = dialect;
    this.#references = new References(root);
    this.#owner = root;
  }

  /** The whole schema; `losses` are complete afterwards. */
  lower(): JsonSchema {
    return this.#schema(this.#root, '');
  }

  #schema(given: unknown, path: string): JsonSchema {
    if (given === false) return this.#nothing(path);
    const source = withType(mergeAllOf(isSchema(given) ? given : {}, this.#references));
    if ('$ref' in source) return this.#reference(source, path);
    const draft: Draft = { source, path, kept: {}, told: {} };
    if (isOpen(source) && !this.#dialect.untyped) this.#lose(path, 'type', undefined, 'plain');
    for (const [keyword, value] of Object.entries(source)) this.#keyword(draft, keyword, value);
    if (typesOf(source).includes('object')) this.#close(draft);
    if (typesOf(source).includes('array')) this.#hold(draft);
    const worded = withWords(draft.kept, draft.told);
    return this.#dialect.types === 'anyOf' ? splitTypes(worded) : worded;
  }

  #keyword(draft: Draft, keyword: string, value: unknown): void {
    const { source, path, kept } = draft;
    if (!isMeaningful(keyword, value, source)) return this.#lose(path, keyword, value, 'dropped');
    const rewrite = Object.hasOwn(this.#structure, keyword) ? this.#structure[keyword] : undefined;
    if (rewrite !== undefined) return rewrite(draft, value);
    if (this.#says(keyword, value)) kept[keyword] = value;
    else if (keyword === 'const' && this.#says('enum', [value])) kept['enum'] = [value];
    else if (!this.#includes(draft, keyword, value)) this.#tell(draft, keyword, value);
  }

  /** True when the dialect has the keyword, and takes this value of it. */
  #says(keyword: string, value: unknown): boolean {
    const { keywords, formats, enums, lookaround, minItems } = this.#dialect;
    if (keywords !== 'all' && !keywords.has(keyword)) return false;
    switch (keyword) {
      case 'format':
        return formats.has(String(value));
      case 'pattern':
        return lookaround || !looksAround(value);
      case 'minItems':
        return Number(value) <= minItems;
      case 'const':
        return value === null || enums.has(typeOfValue(value));
      case 'enum':
        return (value as readonly unknown[]).every((entry) => entry === null || enums.has(typeOfValue(entry)));
      default:
        return true;
    }
  }

  /** A bound that excludes a whole number includes the next one, as long as only whole numbers count. */
  #includes({ source, kept }: Draft, keyword: string, value: unknown): boolean {
    const inclusive =
      keyword === 'exclusiveMinimum' ? 'minimum' : keyword === 'exclusiveMaximum' ? 'maximum' : undefined;
    if (inclusive === undefined || inclusive in source || !this.#says(inclusive, value)) return false;
    if (source['type'] !== 'integer' || !Number.isSafeInteger(value)) return false;
    kept[inclusive] = Number(value) + (inclusive === 'minimum' ? 1 : -1);
    return true;
  }

  #tell({ path, told }: Draft, keyword: string, value: unknown): void {
    told[keyword] = value;
    this.#lose(path, keyword, value, 'description');
  }

  #lose(path: string, keyword: string, value: unknown, became: SchemaLoss['became']): void {
    this.losses.push({ path, keyword, value, became });
  }

  #properties({ source, path, kept }: Draft, properties: JsonSchema): void {
    const required = new Set((source['required'] ?? []) as readonly string[]);
    kept['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const at = `${path}/properties${pointerStep(name)}`;
        const lowered = this.#schema(property, at);
        if (required.has(name)) return [name, this.#leadsBack(property) ? this.#released(lowered, at) : lowered];
        return [name, this.#dialect.optional === 'null' ? this.#optional(lowered, property, at) : lowered];
      }),
    );
  }

  /** A property that may be left out, as one that may be null: the parser takes null for absence. */
  #optional(lowered: JsonSchema, property: unknown, path: string): JsonSchema {
    const widened = nullable(lowered);
    // Where null is a value already, absence can no longer be said, unless both mean the same.
    const takesNull = widened === lowered;
    if (takesNull && !(isSchema(property) && property['default'] === null))
      this.#lose(path, 'optional', true, 'required');
    return widened;
  }

  #required({ source, kept }: Draft, names: readonly string[]): void {
    const properties = Object(source['properties']) as JsonSchema;
    const left = names.filter((name) => !(Object.hasOwn(properties, name) && this.#leadsBack(properties[name])));
    if (left.length > 0) kept['required'] = left;
  }

  /** True for a property that the provider would unroll for ever if it were required. */
  #leadsBack(property: unknown): boolean {
    if (this.#dialect.recursion !== 'in optional properties' || !isSchema(property)) return false;
    return this.#references.of(property).some((reference) => this.#references.leadsTo(reference, this.#owner));
  }

  #released(lowered: JsonSchema, path: string): JsonSchema {
    this.#lose(path, 'required', true, 'description');
    return withWords(lowered, { required: true });
  }

  #additionalProperties(draft: Draft, value: unknown): void {
    const { source, path, kept } = draft;
    if (value === false) kept['additionalProperties'] = false;
    else if (!this.#dialect.maps) this.#lose(path, 'additionalProperties', source['additionalProperties'], 'plain');
    else kept['additionalProperties'] = value === true ? true : this.#schema(value, `${path}/additionalProperties`);
  }

  #patternProperties(draft: Draft, value: unknown): void {
    if (this.#dialect.maps) this.#tell(draft, 'patternProperties', value);
    else this.#lose(draft.path, 'patternProperties', value, 'plain');
  }

  /** Strict modes want every object closed, and OpenAI wants all of its properties required. */
  #close(draft: Draft): void {
    const { source, path, kept } = draft;
    if (this.#dialect.maps) return;
    const { properties, required, $defs } = kept;
    if (!('additionalProperties' in source)) {
      const isMap = Object.keys(Object(properties) as object).length === 0;
      this.#lose(path, 'additionalProperties', true, isMap ? 'plain' : 'dropped');
    }
    // Taken out and put back, so that every object reads in one order.
    for (const keyword of ['properties', 'required', 'additionalProperties', '$defs'])
      Reflect.deleteProperty(kept, keyword);
    const names = this.#dialect.optional === 'null' ? Object.keys(Object(properties) as object) : required;
    Object.assign(kept, { properties: properties ?? {} }, names === undefined ? {} : { required: names });
    Object.assign(kept, { additionalProperties: false }, $defs === undefined ? {} : { $defs });
  }

  #items(draft: Draft, value: unknown): void {
    const { source, path, kept } = draft;
    if ('prefixItems' in source && !this.#says('prefixItems', source['prefixItems'])) return;
    // The length of a tuple says the same, and `false` is a schema that hardly any provider expects.
    if (value === false && Array.isArray(source['prefixItems'])) {
      if (!('maxItems' in source)) this.#keyword(draft, 'maxItems', source['prefixItems'].length);
      return;
    }
    kept['items'] = this.#schema(value, `${path}/items`);
  }

  /** A tuple, where the dialect has none, is a list whose items are of any of its types; the order is told. */
  #prefixItems(draft: Draft, items: readonly unknown[]): void {
    const lowered = items.map((item, index) => this.#schema(item, `${draft.path}/prefixItems${pointerStep(index)}`));
    if (this.#says('prefixItems', items)) {
      draft.kept['prefixItems'] = lowered;
      return;
    }
    const rest = draft.source['items'];
    if (rest === false && !('maxItems' in draft.source)) this.#keyword(draft, 'maxItems', items.length);
    const all = isSchema(rest) ? [...lowered, this.#schema(rest, `${draft.path}/items`)] : lowered;
    const distinct = [...new Map(all.map((item) => [JSON.stringify(item), item])).values()];
    const [first = { type: 'null' }] = distinct;
    draft.kept['items'] = distinct.length > 1 ? { anyOf: distinct } : first;
    if (distinct.length > 1) this.#tell(draft, 'prefixItems', items);
  }

  /** Providers want to know what a list holds. */
  #hold({ path, kept }: Draft): void {
    if (!('items' in kept) && !('prefixItems' in kept)) kept['items'] = this.#schema({}, `${path}/items`);
  }

  #alternatives({ path, kept }: Draft, keyword: string, schemas: readonly unknown[]): void {
    kept['anyOf'] = schemas.map((schema, index) => this.#schema(schema, `${path}/${keyword}${pointerStep(index)}`));
  }

  #oneOf(draft: Draft, schemas: readonly unknown[]): void {
    if ('anyOf' in draft.source) return this.#tell(draft, 'oneOf', schemas);
    this.#lose(draft.path, 'oneOf', schemas, 'widened');
    this.#alternatives(draft, 'oneOf', schemas);
  }

  #definitions({ path, kept }: Draft, keyword: string, definitions: JsonSchema): void {
    const owner = this.#owner;
    const lowered = Object.entries(definitions).map(([name, definition]) => {
      if (isSchema(definition)) this.#owner = definition;
      return [name, this.#schema(definition, `${path}/${keyword}${pointerStep(name)}`)] as const;
    });
    this.#owner = owner;
    kept['$defs'] = { ...(kept['$defs'] as JsonSchema | undefined), ...Object.fromEntries(lowered) };
  }

  /** A reference stands alone, since no provider takes keywords beside it; wrapped, its description can stay. */
  #reference(source: JsonSchema, path: string): JsonSchema {
    const { $ref, description, ...beside } = source;
    const target = this.#references.target($ref);
    const recursive = this.#references.isRecursive($ref);
    const isDefinition = /^#(\/(\$defs|definitions)\/[^/]+)?$/.test(String($ref));
    // Places other than definitions are rewritten themselves, so that a reference to them would lead elsewhere.
    if (target !== undefined && !isDefinition && !recursive) {
      return this.#schema({ ...target, ...beside, ...(description === undefined ? {} : { description }) }, path);
    }
    const draft: Draft = { source, path, kept: description === undefined ? {} : { description }, told: {} };
    for (const [keyword, value] of Object.entries(beside)) {
      if (isMeaningful(keyword, value, { type: target?.['type'] })) this.#tell(draft, keyword, value);
      else this.#lose(path, keyword, value, 'dropped');
    }
    if (target === undefined || !isDefinition) {
      this.#lose(path, '$ref', $ref, this.#dialect.untyped ? 'description' : 'plain');
      return withWords(draft.kept, { ...draft.told, $ref });
    }
    if (recursive && this.#dialect.recursion === 'nowhere') this.#lose(path, '$ref', $ref, 'plain');
    const reference = { $ref: String($ref).replace('#/definitions/', '#/$defs/') };
    return withWords(description === undefined ? reference : { anyOf: [reference], description }, draft.told);
  }

  /** `false`, the schema of no value at all, has no other form; the nearest is null. */
  #nothing(path: string): JsonSchema {
    this.#lose(path, 'not', {}, 'widened');
    return { type: 'null' };
  }
}

/** True when the schema says nothing of the type. */
function isOpen(schema: JsonSchema): boolean {
  return !['type', 'anyOf', 'oneOf'].some((keyword) => keyword in schema);
}

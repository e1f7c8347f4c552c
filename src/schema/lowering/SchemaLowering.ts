import { mapEntries } from '../../common/objects.js';
import type { JsonSchema } from '../../common/types.js';
import type { SchemaLoss } from '../../interface/ModelAdapter.js';
import { allowNull } from '../emit/writeClassSchema.js';
import { getJsonType, listTypes } from '../standard/jsonTypes.js';
import { isSchema } from '../standard/schemaTree.js';
import { encodePointerStep } from './listChildren.js';
import type { Dialect } from './dialects.js';
import { isMeaningful, looksAround, addType } from './keywords.js';
import { mergeAllOf } from './mergeAllOf.js';
import { listReferences, References } from './References.js';
import { splitTypes } from './splitTypes.js';
import { addDescription } from './describeSchema.js';

/** A schema being written: the keywords kept in the dialect (`kept`), and those moved to its description (`described`). */
interface Draft {
  readonly source: JsonSchema;
  readonly types: readonly string[];
  readonly path: string;
  readonly kept: Record<string, unknown>;
  readonly described: Record<string, unknown>;
}

/** Keywords of an object that are written last, in this order. */
const CLOSING: ReadonlySet<string> = new Set(['properties', 'required', 'additionalProperties', '$defs']);

type Rewrite = (lowering: SchemaLowering, draft: Draft, value: unknown) => void;

/** Writes one schema in one dialect, and records everything that the dialect cannot express. */
export class SchemaLowering {
  readonly losses: SchemaLoss[] = [];
  readonly #dialect: Dialect;
  readonly #root: JsonSchema;
  readonly #references: References;
  /** The definition that is being written, or the root. */
  #owner: JsonSchema;

  /** Keywords that hold schemas or depend on others; all others are kept unchanged or moved to the description. */
  static readonly #structure = new Map<string, Rewrite>([
    ['properties', (lowering, draft, value) => lowering.#lowerProperties(draft, value as JsonSchema)],
    ['required', (lowering, draft, value) => lowering.#lowerRequired(draft, value as readonly string[])],
    ['additionalProperties', (lowering, draft, value) => lowering.#lowerAdditionalProperties(draft, value)],
    ['patternProperties', (lowering, draft, value) => lowering.#lowerPatternProperties(draft, value)],
    ['items', (lowering, draft, value) => lowering.#lowerItems(draft, value)],
    ['prefixItems', (lowering, draft, value) => lowering.#lowerPrefixItems(draft, value as readonly unknown[])],
    ['anyOf', (lowering, draft, value) => lowering.#lowerAlternatives(draft, 'anyOf', value as readonly unknown[])],
    ['oneOf', (lowering, draft, value) => lowering.#lowerOneOf(draft, value as readonly unknown[])],
    ['$defs', (lowering, draft, value) => lowering.#lowerDefinitions(draft, '$defs', value as JsonSchema)],
    // The older name; hardly any provider supports both.
    ['definitions', (lowering, draft, value) => lowering.#lowerDefinitions(draft, 'definitions', value as JsonSchema)],
  ]);

  constructor(root: JsonSchema, dialect: Dialect) {
    this.#root = root;
    this.#dialect = dialect;
    this.#references = new References(root);
    this.#owner = root;
  }

  /** Writes the whole schema; `losses` are complete afterwards. */
  lower(): JsonSchema {
    return this.#lowerSchema(this.#root, '');
  }

  #lowerSchema(given: unknown, path: string): JsonSchema {
    if (given === false) {
      // It accepts no value, and has no exact equivalent.
      this.#recordLoss(path, 'not', {}, 'widened');
      return { type: 'null' };
    }
    const source = addType(mergeAllOf(isSchema(given) ? given : {}, this.#references));
    if ('$ref' in source) return this.#lowerReference(source, path);
    const types = listTypes(source);
    const draft: Draft = { source, types, path, kept: {}, described: {} };
    if (isOpen(source) && !this.#dialect.untyped) this.#recordLoss(path, 'type', undefined, 'plain');
    for (const keyword of Object.keys(source)) this.#lowerKeyword(draft, keyword, source[keyword]);
    // Providers require `items` of a list.
    if (types.includes('array') && !('items' in draft.kept || 'prefixItems' in draft.kept))
      draft.kept['items'] = this.#lowerSchema({}, `${path}/items`);
    const kept = types.includes('object') && !this.#dialect.maps ? this.#closeObject(draft) : draft.kept;
    const complete = addDescription(kept, draft.described);
    return this.#dialect.types === 'anyOf' ? splitTypes(complete) : complete;
  }

  #lowerKeyword(draft: Draft, keyword: string, value: unknown): void {
    const { types, path, kept } = draft;
    if (!isMeaningful(keyword, value, types)) return this.#recordLoss(path, keyword, value, 'dropped');
    const rewrite = SchemaLowering.#structure.get(keyword);
    if (rewrite !== undefined) return rewrite(this, draft, value);
    if (this.#supports(keyword, value)) kept[keyword] = value;
    else if (keyword === 'const' && this.#supports('enum', [value])) kept['enum'] = [value];
    else if (!this.#writeInclusive(draft, keyword, value)) this.#describeDraft(draft, keyword, value);
  }

  #supports(keyword: string, value: unknown): boolean {
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
        return value === null || enums.has(getJsonType(value));
      case 'enum':
        return (value as readonly unknown[]).every((entry) => entry === null || enums.has(getJsonType(entry)));
      default:
        return true;
    }
  }

  /** Writes the exclusive bound of an integer as an inclusive one; returns true if that was possible. */
  #writeInclusive({ source, kept }: Draft, keyword: string, value: unknown): boolean {
    const inclusive =
      keyword === 'exclusiveMinimum' ? 'minimum' : keyword === 'exclusiveMaximum' ? 'maximum' : undefined;
    if (inclusive === undefined || inclusive in source || !this.#supports(inclusive, value)) return false;
    if (source['type'] !== 'integer' || !Number.isSafeInteger(value)) return false;
    kept[inclusive] = Number(value) + (inclusive === 'minimum' ? 1 : -1);
    return true;
  }

  #describeDraft({ path, described }: Draft, keyword: string, value: unknown): void {
    described[keyword] = value;
    this.#recordLoss(path, keyword, value, 'description');
  }

  #recordLoss(path: string, keyword: string, value: unknown, became: SchemaLoss['became']): void {
    this.losses.push({ path, keyword, value, became });
  }

  #lowerProperties({ source, path, kept }: Draft, properties: JsonSchema): void {
    const required = new Set((source['required'] ?? []) as readonly string[]);
    kept['properties'] = mapEntries(properties, (name, property) => {
      const at = `${path}/properties${encodePointerStep(name)}`;
      const lowered = this.#lowerSchema(property, at);
      if (required.has(name)) return this.#leadsBack(property) ? this.#releaseProperty(lowered, at) : lowered;
      return this.#dialect.optional === 'null' ? this.#lowerOptional(lowered, property, at) : lowered;
    });
  }

  /** Writes an optional property as a nullable one: the parser treats null as absent. */
  #lowerOptional(lowered: JsonSchema, property: unknown, path: string): JsonSchema {
    const widened = allowNull(lowered);
    // If null is already a valid value, absence can no longer be expressed, unless both mean the same.
    const takesNull = widened === lowered;
    if (takesNull && !(isSchema(property) && property['default'] === null))
      this.#recordLoss(path, 'optional', true, 'required');
    return widened;
  }

  #lowerRequired({ source, kept }: Draft, names: readonly string[]): void {
    const properties = Object(source['properties']) as JsonSchema;
    const left = names.filter((name) => !(Object.hasOwn(properties, name) && this.#leadsBack(properties[name])));
    if (left.length > 0) kept['required'] = left;
  }

  /** Checks for a property that the provider would expand endlessly if it were required. */
  #leadsBack(property: unknown): boolean {
    if (this.#dialect.recursion !== 'in optional properties' || !isSchema(property)) return false;
    return listReferences(property).some((reference) => this.#references.leadsTo(reference, this.#owner));
  }

  #releaseProperty(lowered: JsonSchema, path: string): JsonSchema {
    this.#recordLoss(path, 'required', true, 'description');
    return addDescription(lowered, { required: true });
  }

  #lowerAdditionalProperties(draft: Draft, value: unknown): void {
    const { source, path, kept } = draft;
    if (value === false) kept['additionalProperties'] = false;
    else if (!this.#dialect.maps)
      this.#recordLoss(path, 'additionalProperties', source['additionalProperties'], 'plain');
    else
      kept['additionalProperties'] = value === true ? true : this.#lowerSchema(value, `${path}/additionalProperties`);
  }

  #lowerPatternProperties(draft: Draft, value: unknown): void {
    if (this.#dialect.maps) this.#describeDraft(draft, 'patternProperties', value);
    else this.#recordLoss(draft.path, 'patternProperties', value, 'plain');
  }

  /** Closes the object, as strict modes require; OpenAI also requires every property to be required. */
  #closeObject({ source, path, kept }: Draft): JsonSchema {
    const { properties = {}, required, $defs } = kept;
    const names = Object.keys(properties as JsonSchema);
    if (!('additionalProperties' in source))
      this.#recordLoss(path, 'additionalProperties', true, names.length === 0 ? 'plain' : 'dropped');
    const needed = this.#dialect.optional === 'null' ? names : required;
    const closed: Record<string, unknown> = {};
    for (const keyword of Object.keys(kept)) if (!CLOSING.has(keyword)) closed[keyword] = kept[keyword];
    closed['properties'] = properties;
    if (needed !== undefined) closed['required'] = needed;
    closed['additionalProperties'] = false;
    if ($defs !== undefined) closed['$defs'] = $defs;
    return closed;
  }

  #lowerItems(draft: Draft, value: unknown): void {
    const { source, path, kept } = draft;
    if ('prefixItems' in source && !this.#supports('prefixItems', source['prefixItems'])) return;
    // The length of a tuple means the same, and hardly any provider expects `false` as a schema.
    if (value === false && Array.isArray(source['prefixItems'])) {
      if (!('maxItems' in source)) this.#lowerKeyword(draft, 'maxItems', source['prefixItems'].length);
      return;
    }
    kept['items'] = this.#lowerSchema(value, `${path}/items`);
  }

  /** Writes a tuple as a list of any of its types if the dialect has no tuples; the description names the order. */
  #lowerPrefixItems(draft: Draft, items: readonly unknown[]): void {
    const lowered = items.map((item, index) =>
      this.#lowerSchema(item, `${draft.path}/prefixItems${encodePointerStep(index)}`),
    );
    if (this.#supports('prefixItems', items)) {
      draft.kept['prefixItems'] = lowered;
      return;
    }
    const rest = draft.source['items'];
    if (rest === false && !('maxItems' in draft.source)) this.#lowerKeyword(draft, 'maxItems', items.length);
    const all = isSchema(rest) ? [...lowered, this.#lowerSchema(rest, `${draft.path}/items`)] : lowered;
    const distinct = [...new Map(all.map((item) => [JSON.stringify(item), item])).values()];
    const [first = { type: 'null' }] = distinct;
    draft.kept['items'] = distinct.length > 1 ? { anyOf: distinct } : first;
    if (distinct.length > 1) this.#describeDraft(draft, 'prefixItems', items);
  }

  #lowerAlternatives({ path, kept }: Draft, keyword: string, schemas: readonly unknown[]): void {
    kept['anyOf'] = schemas.map((schema, index) =>
      this.#lowerSchema(schema, `${path}/${keyword}${encodePointerStep(index)}`),
    );
  }

  #lowerOneOf(draft: Draft, schemas: readonly unknown[]): void {
    if ('anyOf' in draft.source) return this.#describeDraft(draft, 'oneOf', schemas);
    this.#recordLoss(draft.path, 'oneOf', schemas, 'widened');
    this.#lowerAlternatives(draft, 'oneOf', schemas);
  }

  #lowerDefinitions({ path, kept }: Draft, keyword: string, definitions: JsonSchema): void {
    const owner = this.#owner;
    const lowered = mapEntries(definitions, (name, definition) => {
      if (isSchema(definition)) this.#owner = definition;
      return this.#lowerSchema(definition, `${path}/${keyword}${encodePointerStep(name)}`);
    });
    this.#owner = owner;
    kept['$defs'] = { ...(kept['$defs'] as JsonSchema | undefined), ...lowered };
  }

  /**
   * Writes a reference without other keywords, since no provider accepts any beside it; keeps title and description by wrapping
   * it.
   */
  #lowerReference(source: JsonSchema, path: string): JsonSchema {
    const { $ref, description, title, ...beside } = source;
    const annotations = {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
    };
    const isDefinition = /^#(\/(\$defs|definitions)\/[^/]+)?$/.test(String($ref));
    // Only definitions keep their form: other places are rewritten, and a reference to them may no longer match.
    const inlined = isDefinition ? undefined : this.#references.inlineTarget($ref);
    if (inlined !== undefined) return this.#lowerSchema({ ...inlined, ...beside, ...annotations }, path);
    const target = this.#references.target($ref);
    const draft: Draft = { source, types: listTypes(target ?? {}), path, kept: annotations, described: {} };
    for (const [keyword, value] of Object.entries(beside)) {
      if (isMeaningful(keyword, value, draft.types)) this.#describeDraft(draft, keyword, value);
      else this.#recordLoss(path, keyword, value, 'dropped');
    }
    if (target === undefined || !isDefinition) {
      this.#recordLoss(path, '$ref', $ref, this.#dialect.untyped ? 'description' : 'plain');
      return addDescription(annotations, { ...draft.described, $ref });
    }
    const isEndless = this.#dialect.recursion === 'nowhere' && this.#references.isRecursive($ref);
    if (isEndless) this.#recordLoss(path, '$ref', $ref, 'plain');
    const reference = { $ref: String($ref).replace('#/definitions/', '#/$defs/') };
    return addDescription(
      Object.keys(annotations).length === 0 ? reference : { anyOf: [reference], ...annotations },
      draft.described,
    );
  }
}

/** Checks whether the schema accepts any type. */
function isOpen(schema: JsonSchema): boolean {
  return !['type', 'anyOf', 'oneOf'].some((keyword) => keyword in schema);
}

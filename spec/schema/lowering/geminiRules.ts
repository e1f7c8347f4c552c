import type { JsonSchema } from 'toolwright';
import { isSchema, findReferenced } from '../../../src/schema/standard/schemaTree';

const KNOWN = new Set(
  '$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum anyOf oneOf properties additionalProperties required propertyOrdering'.split(
    ' ',
  ),
);

/**
 * The published subset of JSON Schema that Gemini accepts, as rules: a list of keywords; enums of texts and numbers; nothing
 * beside a `$ref`; recursion in properties only that are not required.
 */
export function geminiProblems(root: JsonSchema): readonly string[] {
  const problems = root['type'] === 'object' ? [] : ['the parameters are no object'];
  const visit = (schema: unknown, place: string): void => {
    if (!isSchema(schema)) return;
    for (const keyword of Object.keys(schema)) if (!KNOWN.has(keyword)) problems.push(`${place}: ${keyword}`);
    if ('$ref' in schema && Object.keys(schema).some((keyword) => !keyword.startsWith('$')))
      problems.push(`${place}: more than a $ref`);
    for (const value of (schema['enum'] ?? []) as readonly unknown[])
      if (typeof value !== 'string' && typeof value !== 'number')
        problems.push(`${place}: an enum with ${String(value)}`);
    for (const [keyword, child] of childrenOf(schema)) visit(child, `${place}/${keyword}`);
  };
  visit(root, '');
  for (const [name, definition] of Object.entries((root['$defs'] ?? {}) as JsonSchema)) {
    if (requiresItself(root, definition as JsonSchema)) problems.push(`${name} is part of itself, and required there`);
  }
  return problems;
}

function childrenOf(schema: JsonSchema): readonly (readonly [string, unknown])[] {
  const { items, additionalProperties } = schema;
  const maps = [schema['properties'], schema['$defs']].flatMap((map) => (isSchema(map) ? Object.entries(map) : []));
  const lists = [schema['anyOf'], schema['prefixItems']].flatMap((list) =>
    Array.isArray(list) ? (list as readonly unknown[]) : [],
  );
  return [
    ...maps,
    ['items', items],
    ['additionalProperties', additionalProperties],
    ...lists.map((child, index) => [String(index), child] as const),
  ];
}

/** True if required properties alone lead from a definition back to it. */
function requiresItself(root: JsonSchema, definition: JsonSchema): boolean {
  const seen = new Set<JsonSchema>();
  const visit = (schema: unknown): boolean => {
    if (!isSchema(schema)) return false;
    const { $ref, properties, required } = schema;
    if (typeof $ref === 'string') {
      const target = findReferenced(root, $ref)!;
      if (target === definition) return true;
      if (seen.has(target)) return false;
      seen.add(target);
      return visit(target);
    }
    const names = (required ?? []) as readonly string[];
    const needed = names.map((name) => (properties as JsonSchema)[name]);
    const others = childrenOf({ ...schema, properties: undefined, $defs: undefined }).map(([, child]) => child);
    return [...needed, ...others].some(visit);
  };
  return visit(definition);
}

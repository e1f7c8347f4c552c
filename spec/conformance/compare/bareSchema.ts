import { isRecord } from './sameData';

/** Keywords that are annotations only. */
const annotations: ReadonlySet<string> = new Set(['title', 'default', 'description']);

/** The schema without titles, defaults and descriptions, and with `required` as the set that it is. */
export function bareSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bareSchema);
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).filter(([word]) => !annotations.has(word));
  return Object.fromEntries(kept.map(([word, value]) => [word, bareWord(word, value)]));
}

function bareWord(word: string, value: unknown): unknown {
  if (word === 'required' && Array.isArray(value)) return [...(value as readonly string[])].sort();
  // Below these are names that the user chose, and one may be called `title`.
  if ((word === 'properties' || word === '$defs') && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, bareSchema(inner)]));
  }
  return word === 'enum' || word === 'const' ? value : bareSchema(value);
}

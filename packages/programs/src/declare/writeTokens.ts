import type { JsonSchema } from 'toolwright';
import { isObject } from 'toolwright/internal/light';
import { MAX_DEFAULT_CHARS } from '../limits.js';

/** Writes a value as a literal type. */
export function writeLiteral(value: unknown): string {
  if (typeof value !== 'string') return isObject(value) ? 'unknown' : String(value);
  const inside = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inside}'`;
}

/** Writes the name of a property, quoted unless it is an identifier. */
export function writePropertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : writeLiteral(key);
}

/** Writes the doc comment of a schema, followed by a line break; empty if the schema describes nothing. */
export function writeComment(schema: JsonSchema): string {
  const { description, default: initial } = schema;
  const summary = typeof description === 'string' ? description : '';
  const text = initial === undefined ? '' : JSON.stringify(initial);
  const shown = text.length > MAX_DEFAULT_CHARS ? `${text.slice(0, MAX_DEFAULT_CHARS)}…` : text;
  return writeDocComment(
    [summary.trim(), shown === '' ? '' : `default ${shown}`].filter((part) => part !== '').join('; '),
  );
}

/** Writes a doc comment of one line. Untrusted text can close neither the comment nor the fenced block around it. */
export function writeDocComment(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('*/', '*\\/')
    .replace(/`{3,}/g, (fence) => "'".repeat(fence.length))
    .replace(/~{3,}/g, (fence) => '-'.repeat(fence.length));
  return line === '' ? '' : `/** ${line} */\n`;
}

import type { JsonSchema } from '../../common/types.js';

/** How much of a default value is shown. */
const DEFAULT = 80;

/** A value as a literal type. */
export function literal(value: unknown): string {
  if (typeof value !== 'string') return typeof value === 'object' && value !== null ? 'unknown' : String(value);
  const inside = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inside}'`;
}

/** The name of a property: quoted where it is no identifier. */
export function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key);
}

/** The comment above what a schema describes, with a line break behind it; empty where it says nothing. */
export function comment(schema: JsonSchema): string {
  const { description, default: initial } = schema;
  const words = typeof description === 'string' ? description : '';
  const text = initial === undefined ? '' : JSON.stringify(initial);
  const shown = text.length > DEFAULT ? `${text.slice(0, DEFAULT)}…` : text;
  return docComment([words.trim(), shown === '' ? '' : `default ${shown}`].filter((part) => part !== '').join('; '));
}

/** A doc comment of one line. What others wrote can end neither the comment nor the block of code in which it stands. */
export function docComment(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('*/', '*\\/')
    .replace(/`{3,}/g, (fence) => "'".repeat(fence.length))
    .replace(/~{3,}/g, (fence) => '-'.repeat(fence.length));
  return line === '' ? '' : `/** ${line} */\n`;
}

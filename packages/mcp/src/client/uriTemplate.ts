import { ensureWellFormed } from 'toolwright/internal';
import { MAX_TEMPLATE_VALUE_CHARS } from '../limits.js';

/** A variable of a template. */
export interface TemplateVariable {
  readonly name: string;
  /** True if each item of a list, or entry of an object, is expanded separately. */
  readonly explode: boolean;
  /** The most characters of the value; undefined for all. */
  readonly prefix: number | undefined;
}

interface Operator {
  /** The text before the expansion. */
  readonly first: string;
  /** The text between two values. */
  readonly separator: string;
  /** True if values are expanded with their names. */
  readonly named: boolean;
  /** The text after the name of an empty value. */
  readonly ifEmpty: string;
  /** True if reserved characters of URIs are not encoded. */
  readonly reserved: boolean;
}

interface Expression extends Operator {
  readonly variables: readonly TemplateVariable[];
  /** True if a URI is valid without it. */
  readonly isOptional: boolean;
}

/** The parts of a URI template. */
export interface UriTemplate {
  readonly parts: readonly (string | Expression)[];
}

const plain: Operator = { first: '', separator: ',', named: false, ifEmpty: '', reserved: false };
const operators: Readonly<Record<string, Operator>> = {
  '': plain,
  '+': { ...plain, reserved: true },
  '#': { ...plain, first: '#', reserved: true },
  '.': { ...plain, first: '.', separator: '.' },
  '/': { ...plain, first: '/', separator: '/' },
  ';': { ...plain, first: ';', separator: ';', named: true },
  '?': { ...plain, first: '?', separator: '&', named: true, ifEmpty: '=' },
  '&': { ...plain, first: '&', separator: '&', named: true, ifEmpty: '=' },
};
const OPTIONAL = new Set(['?', '&', '#', ';']);
const VARIABLE = /^(?<name>(?:[A-Za-z0-9_.]|%[0-9A-Fa-f]{2})+)(?<explode>\*)?(?::(?<prefix>[1-9]\d{0,3}))?$/;

/** Parses a template of RFC 6570, levels 1 to 4. Returns undefined if it is invalid or longer than 2,000 characters. */
export function readTemplate(text: string): UriTemplate | undefined {
  if (text.length > MAX_TEMPLATE_VALUE_CHARS) return undefined;
  const parts: (string | Expression)[] = [];
  for (const piece of text.split(/(\{[^{}]*\})/)) {
    if (piece === '') continue;
    if (!piece.startsWith('{')) {
      if (/[{}]/.test(piece)) return undefined;
      parts.push(encodeText(piece, true));
      continue;
    }
    const expression = readExpression(piece.slice(1, -1));
    if (expression === undefined) return undefined;
    parts.push(expression);
  }
  return { parts };
}

function readExpression(inside: string): Expression | undefined {
  const sign = /^[+#./;?&]/.exec(inside)?.[0] ?? '';
  const operator = operators[sign] ?? plain;
  const variables: TemplateVariable[] = [];
  for (const written of inside.slice(sign.length).split(',')) {
    const { name, explode, prefix } = VARIABLE.exec(written)?.groups ?? {};
    if (name === undefined) return undefined;
    variables.push({ name, explode: explode !== undefined, prefix: prefix === undefined ? undefined : Number(prefix) });
  }
  return { ...operator, variables, isOptional: OPTIONAL.has(sign) };
}

/** Returns the variables of a template, each once. Variables without which the URI would be invalid are required. */
export function variablesOf({ parts }: UriTemplate): readonly (TemplateVariable & { readonly required: boolean })[] {
  const found = new Map<string, TemplateVariable & { readonly required: boolean }>();
  for (const part of parts) {
    if (typeof part === 'string') continue;
    for (const variable of part.variables) {
      const known = found.get(variable.name);
      const required = !part.isOptional || known?.required === true;
      found.set(variable.name, { ...variable, explode: variable.explode || known?.explode === true, required });
    }
  }
  return [...found.values()];
}

/** Expands a template with values: text, or lists of texts. Variables without a value are left out (RFC 6570, 3.2). */
export function expandTemplate(
  { parts }: UriTemplate,
  values: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  return parts.map((part) => (typeof part === 'string' ? part : expandExpression(part, values))).join('');
}

function expandExpression(
  expression: Expression,
  values: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  const { first, separator, variables } = expression;
  const expansions = variables.flatMap((variable) => {
    const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
    if (value === undefined || (typeof value !== 'string' && value.length === 0)) return [];
    return [writeValue(expression, variable, value)];
  });
  return expansions.length === 0 ? '' : `${first}${expansions.join(separator)}`;
}

function writeValue(
  { named, separator, ifEmpty, reserved }: Expression,
  { name, explode, prefix }: TemplateVariable,
  value: string | readonly string[],
): string {
  const withName = (text: string): string => (named ? `${name}${text === '' ? ifEmpty : `=${text}`}` : text);
  if (typeof value !== 'string') {
    const texts = value.map((item) => encodeText(item, reserved));
    return explode ? texts.map(withName).join(separator) : withName(texts.join(','));
  }
  const cut = prefix === undefined ? value : Array.from(value).slice(0, prefix).join('');
  return withName(encodeText(cut, reserved));
}

/** Percent-encodes everything but unreserved characters; with `reserved`, reserved characters of URIs are kept as well. */
function encodeText(text: string, reserved: boolean): string {
  const safe = encodeURIComponent(ensureWellFormed(text)).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  if (!reserved) return safe;
  // Existing percent-encoded triplets are kept.
  return safe
    .replace(/%(?:3A|2F|3F|23|5B|5D|40|21|24|26|27|28|29|2A|2B|2C|3B|3D)/g, decodeURIComponent)
    .replace(/%25(?=[0-9A-Fa-f]{2})/g, '%');
}

import type { Template, TemplatePart, TemplateSource } from '../metadata/Template.js';

/** A compiled template, and the text at its first stray dollar sign. */
export type CompiledTemplate = Template & { readonly strayDollarAt: string | undefined };

// Encloses the index of a placeholder of `md` while the text is dedented. Removed from the text of the template before.
const MARK = '\u0000';

const TOKEN =
  /\u0000(?<tagged>\d+)\u0000|\$(?:(?<escaped>\$)|\{(?<braced>[A-Za-z_][A-Za-z0-9_]*)\}|(?<bare>[A-Za-z_][A-Za-z0-9_]*)|(?<stray>))/g;

/**
 * Dedents, trims and splits a template at its placeholders: `${name}` or `$name`, with `$$` for a dollar sign
 * (docs/contract.md, 4). Inserted values are never scanned, so they cannot contain placeholders.
 */
export function compileTemplate(source: TemplateSource<never>): CompiledTemplate {
  const text = dedent(joinTemplate(source)).trim();
  const names = typeof source === 'string' ? [] : source.names;
  const parts: TemplatePart[] = [];
  let literal = '';
  let strayDollarAt: string | undefined;
  let end = 0;
  const flush = (): void => {
    if (literal !== '') parts.push({ text: literal });
    literal = '';
  };
  for (const match of text.matchAll(TOKEN)) {
    literal += text.slice(end, match.index);
    end = match.index + match[0].length;
    const { tagged, braced, bare } = match.groups ?? {};
    const placeholder = tagged === undefined ? (braced ?? bare) : names[Number(tagged)];
    if (placeholder !== undefined) {
      flush();
      parts.push({ placeholder });
    } else {
      literal += '$';
      if (match.groups?.['escaped'] === undefined) strayDollarAt ??= text.slice(match.index, match.index + 12);
    }
  }
  literal += text.slice(end);
  flush();
  const placeholders = [...new Set(parts.flatMap((part) => ('placeholder' in part ? [part.placeholder] : [])))];
  return { parts, placeholders, strayDollarAt };
}

function joinTemplate(source: TemplateSource<never>): string {
  if (typeof source === 'string') return source.replaceAll(MARK, '');
  const texts = source.strings.map((text) => text.replaceAll(MARK, ''));
  return texts.reduce((text, next, index) => `${text}${MARK}${String(index - 1)}${MARK}${next}`);
}

/** Removes the longest common leading white space of the lines that are not blank. Blank lines become empty. */
function dedent(text: string): string {
  const lines = text.split('\n').map((line) => (line.trim() === '' ? '' : line));
  const indents = lines.filter((line) => line !== '').map((line) => /^[ \t]*/.exec(line)?.[0] ?? '');
  const [first = '', ...others] = indents;
  const margin = others.reduce(findCommonPrefix, first).length;
  return lines.map((line) => line.slice(margin)).join('\n');
}

function findCommonPrefix(left: string, right: string): string {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return left.slice(0, length);
}

import { ignoreRejection } from '../../common/classes.js';
import { freezePlain } from '../../common/objects.js';
import { isArray, isObject } from '../../common/guards.js';
import { ensureWellFormed } from '../../common/text.js';
import type { TypeShape } from '../../metadata/ClassShape.js';
import { toPlainJson } from '../../schema/write/plainJson.js';
import { needsType, type Serialiser } from '../../schema/write/createSerialiser.js';
import type { ContentPart } from '../../value/ContentPart.js';
import type { ToolResult } from '../../value/ToolResult.js';
import { shortenJson, shortenPlain, shortenText } from './shortenText.js';

export interface RenderRules {
  readonly serialiser: Serialiser;
  /** Limit in characters; a longer text or JSON is shortened and says so. */
  readonly limit: number;
  readonly declared?: TypeShape | null | undefined;
}

/** Renders a value for the model; returns an empty text for null and undefined. Never throws (docs/contract.md, 5). */
export function renderValue(value: unknown, { serialiser, limit, declared }: RenderRules): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return shortenText(value, limit);
  const own = renderOwnText(value);
  if (own !== undefined) return shortenText(own, limit);
  const worded = isArray(value) ? renderOwnTexts(value) : undefined;
  if (worded !== undefined) return shortenText(worded, limit);
  const type = declared ?? undefined;
  const json = type === undefined || !needsType(type) ? toPlainJson(value) : undefined;
  if (json !== undefined) return shortenJson(json, limit);
  const written = serialiser.write(value, limit, { excludeNone: true, keepNullable: true, type });
  const { plain, isSmall } = written;
  if (typeof plain === 'string') return shortenText(plain, limit);
  return isSmall ? shortenJson(JSON.stringify(plain), limit) : shortenPlain(written, limit);
}

/**
 * Writes the JSON of plain data that nothing will change before it is rendered, so that `renderValue` need not check it again.
 *
 * @param value an object that `isPlainJson` accepted
 * @returns undefined for a value that may have to be rendered in another way
 */
export function writePlainResult(value: unknown, declared: TypeShape | null): string | undefined {
  return !hasOwnText(isArray(value) ? value[0] : value) && (declared === null || !needsType(declared))
    ? JSON.stringify(value)
    : undefined;
}

function hasOwnText(value: unknown): boolean {
  return isObject(value) && 'render' in value;
}

/** Joins the texts of items that all have a `render()` method; returns undefined unless all have one. */
function renderOwnTexts(values: readonly unknown[]): string | undefined {
  const texts: string[] = [];
  for (const value of values) {
    const own = renderOwnText(value);
    if (own === undefined) return undefined;
    texts.push(own);
  }
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

/** Joins message and value with a blank line; returns one of them if the other is empty. */
export function renderResult(result: ToolResult, renderedValue: string): string {
  if (result.excludeValueFromContext || renderedValue === '') return result.message;
  return result.message === '' ? renderedValue : `${result.message}\n\n${renderedValue}`;
}

/** Renders the parts for the model: shortens texts like values, and passes all words through `spoken`; leaves bytes unchanged. */
export function renderParts(
  parts: readonly ContentPart[],
  limit: number,
  spoken = (text: string): string => text,
): readonly ContentPart[] {
  const rendered = parts.map((part): ContentPart => {
    if (part.kind === 'text') return { kind: 'text', text: spoken(ensureWellFormed(shortenText(part.text, limit))) };
    return part.kind === 'file' && part.name !== undefined
      ? { ...part, name: spoken(ensureWellFormed(part.name)) }
      : part;
  });
  return freezePlain(rendered);
}

/** Calls the value's own `render()`; returns undefined if there is none, or it throws or does not return a string. */
function renderOwnText(value: unknown): string | undefined {
  try {
    if (!isObject(value)) return undefined;
    const { render } = value as { render?: unknown };
    if (typeof render !== 'function') return undefined;
    const text: unknown = render.call(value);
    ignoreRejection(text);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

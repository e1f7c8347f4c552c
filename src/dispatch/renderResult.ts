import { isArray } from '../common/text.js';
import type { TypeShape } from '../metadata/ClassShape.js';
import { shortenJson, shortenText } from './shorten.js';
import { needsType, type Serialiser } from '../schema/serialise.js';
import type { ToolResult } from '../value/ToolResult.js';

/** How a value is written. */
export interface RenderRules {
  readonly serialiser: Serialiser;
  /** Characters, at most; what a text or JSON has beyond is left out, and it says so. */
  readonly limit: number;
  readonly declared?: TypeShape | null | undefined;
}

/** The value as the model reads it; empty for nothing. Never throws (docs/contract.md, 5). */
export function renderValue(value: unknown, { serialiser, limit, declared }: RenderRules): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return shortenText(value, limit);
  const own = ownText(value);
  if (own !== undefined) return shortenText(own, limit);
  if (isArray(value)) {
    const worded = value.map(ownText);
    if (worded.length > 0 && worded.every((words) => words !== undefined))
      return shortenText(worded.join('\n\n'), limit);
  }
  const type = declared !== undefined && declared !== null && needsType(declared) ? declared : undefined;
  return shortenJson(serialiser.toJson(value, { excludeNone: true, type }), limit);
}

/** Message, blank line, value; only one of them when the other is empty. */
export function renderResult(result: ToolResult, renderedValue: string): string {
  if (result.excludeValueFromContext || renderedValue === '') return result.message;
  return result.message === '' ? renderedValue : `${result.message}\n\n${renderedValue}`;
}

/** What a value's own `render()` says; undefined without one, or when it throws or gives no string. */
function ownText(value: unknown): string | undefined {
  try {
    if (typeof value !== 'object' || value === null) return undefined;
    const { render } = value as { render?: unknown };
    if (typeof render !== 'function') return undefined;
    const words: unknown = render.call(value);
    if (words instanceof Promise) words.catch(() => undefined);
    return typeof words === 'string' ? words : undefined;
  } catch {
    return undefined;
  }
}

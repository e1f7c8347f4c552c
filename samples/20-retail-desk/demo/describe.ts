import type { ToolCall } from 'toolwright';

const most = 8;

/** Shortens a result: the plain values of a record, and the number of entries of its lists and parts. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(nothing)';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, part]: [string, unknown]) => `${key} ${describePart(part)}`);
  const shown = parts.slice(0, most);
  return [...shown, ...(parts.length > most ? [`and ${parts.length - most} more`] : [])].join(', ');
}

/** Writes one line for each argument; arguments that are not a JSON object stay unchanged. */
export function describeArguments(args: ToolCall['arguments']): readonly string[] {
  const fields = typeof args === 'string' ? parse(args) : args;
  if (typeof fields !== 'object' || fields === null) return [typeof args === 'string' ? args : 'none'];
  return Object.entries(fields).map(([name, value]: [string, unknown]) => {
    return `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
}

function describePart(part: unknown): string {
  if (Array.isArray(part)) return `[${part.length}]`;
  if (typeof part === 'object' && part !== null) return `{${Object.keys(part).length}}`;
  return String(part);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

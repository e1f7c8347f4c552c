/** The text with all JSON in it written one way: the reference puts spaces where we put none. */
export function normalText(text: string): string {
  let normal = '';
  for (let index = 0; index < text.length;) {
    const end = text[index] === '{' || text[index] === '[' ? closingBracket(text, index) : undefined;
    const parsed = end === undefined ? undefined : parse(text.slice(index, end + 1));
    if (end === undefined || parsed === undefined) {
      normal += text[index] ?? '';
      index++;
      continue;
    }
    normal += JSON.stringify(sorted(parsed.value));
    index = end + 1;
  }
  return normal;
}

/** The position at which the bracket at `start` closes, brackets inside of strings not counted. */
function closingBracket(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index++;
      else if (character === '"') inString = false;
      continue;
    }
    if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (depth === 0) return index;
  }
  return undefined;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Keys in alphabetic order: JSON objects have none. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}

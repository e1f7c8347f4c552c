/** Differences between two values as wholes; `null` and absence are the same, and a date is its ISO text. */
export function dataDifferences(expected: unknown, actual: unknown, path: string): readonly string[] {
  if (isAbsent(expected) && isAbsent(actual)) return [];
  if (actual instanceof Date) return sameMoment(expected, actual) ? [] : [differ(expected, actual, path)];
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) return [differ(expected, actual, path)];
    return expected.flatMap((item, index) => dataDifferences(item, actual[index], `${path}[${index}]`));
  }
  if (isRecord(expected) && isRecord(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...keys].flatMap((key) => dataDifferences(expected[key], actual[key], `${path}.${key}`));
  }
  return Object.is(expected, actual) ? [] : [differ(expected, actual, path)];
}

/** One difference, described as text. */
export function differ(expected: unknown, actual: unknown, path: string): string {
  return `${path}: expected ${shown(expected)}, got ${shown(actual)}`;
}

export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sameMoment(expected: unknown, actual: Date): boolean {
  return typeof expected === 'string' && Date.parse(expected) === actual.getTime();
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

import { isJson, type Json } from '../format';
import { dataDifferences } from '../compare/sameData';
import type { ExpectedResult, ProgramCase } from './format';
import type { ProgramOutcome } from './runProgramCase';

const sameData = (expected: unknown, actual: unknown): boolean => dataDifferences(expected, actual, '').length === 0;

/** Tolerance for a loaded machine, whose delays are not the program's. */
const PATIENCE_MS = 3_000;

/** The compared fields of a case. */
export function expectationOf({
  expected,
  expected_js,
  ts_expected_result,
  ts_text,
  ts_expected,
}: ProgramCase): ExpectedResult {
  if (ts_text !== undefined) return { value: ts_expected ?? expected.value };
  return ts_expected_result ?? { ...expected, ...expected_js };
}

/** True where this design decides otherwise than the reference. */
export function isDecidedOtherwise({ expected, expected_js, ts_expected_result, ts_expected }: ProgramCase): boolean {
  return (
    ts_expected_result !== undefined ||
    expected_js !== undefined ||
    (ts_expected !== undefined && ts_expected !== null && ts_expected !== expected.value)
  );
}

const errorKinds: Readonly<Record<string, readonly string[]>> = {
  import_blocked: ['refused'],
  calls_limit: ['limit'],
  calls_unbounded: ['timeout', 'limit'],
};

const fields = [
  ...(['success', 'output', 'status', 'attempts', 'value', 'raises', 'events', 'probe'] as const),
  ...(['sent_to_server', 'return_schemas'] as const),
] as const;

/** In what the outcome of a case differs; a field that the case does not hold is not compared. */
export function differencesOf(testCase: ProgramCase, actual: ProgramOutcome): readonly string[] {
  const { max_ms, area } = testCase;
  const differences = compared(expectationOf(testCase), actual, area === 'parallel');
  const isLate = max_ms !== undefined && (actual.ms ?? 0) > max_ms + PATIENCE_MS;
  return isLate ? [...differences, `took ${String(actual.ms)} ms instead of ${String(max_ms)}`] : differences;
}

function compared(expected: ExpectedResult, actual: ProgramOutcome, unordered: boolean): readonly string[] {
  const differences: string[] = [];
  const check = (field: string, isSame: boolean, want: unknown, got: unknown): void => {
    if (!isSame) differences.push(`${field}: expected ${JSON.stringify(want)}, got ${JSON.stringify(got)}`);
  };
  const isPaused = expected.error_kind === 'paused';
  for (const field of fields)
    if (field in expected) check(field, sameData(expected[field], actual[field]), expected[field], actual[field]);
  if (isPaused) check('status', actual.status === 'paused', 'paused', actual.status);
  else if ('error_kind' in expected) {
    const kind = expected.error_kind ?? null;
    const kinds: readonly (string | null)[] = kind === null ? [null] : (errorKinds[kind] ?? [kind]);
    check('error_kind', kinds.includes(actual.error_kind ?? null), kind, actual.error_kind);
  }
  if ('return_value' in expected)
    check(
      'return_value',
      sameValue(expected.return_value, actual.return_value),
      expected.return_value,
      actual.return_value,
    );
  if (expected.tool_calls !== undefined)
    check(
      'tool_calls',
      sameCalls(expected.tool_calls, actual.tool_calls ?? [], unordered),
      expected.tool_calls,
      actual.tool_calls,
    );
  if (expected.then !== undefined) {
    const then = compared(expected.then, actual.then ?? {}, unordered);
    differences.push(...then.map((difference) => `then.${difference}`));
  }
  return differences;
}

function sameValue(expected: unknown, actual: unknown): boolean {
  if (isJson(expected) && typeof expected['$not_json'] === 'string') {
    const { kind, type } = (isJson(actual) ? actual : {}) as { readonly kind?: unknown; readonly type?: unknown };
    const isNamed =
      expected['$not_json'] === 'object' || String(type).toLowerCase() === expected['$not_json'].toLowerCase();
    return kind === 'not-serializable' && isNamed;
  }
  if (isJson(expected) && typeof expected['$len'] === 'number') {
    const written = typeof actual === 'string' ? actual : JSON.stringify(actual);
    return written.length === expected['$len'] && written.startsWith(String(expected['$head']));
  }
  return sameData(expected ?? null, actual ?? null);
}

function sameCalls(expected: readonly Json[], actual: readonly Json[], unordered: boolean): boolean {
  if (expected.length !== actual.length) return false;
  const rest = [...actual];
  return expected.every((call) => {
    const index = unordered ? rest.findIndex((each) => sameCall(call, each)) : 0;
    const [found] = rest.splice(Math.max(index, 0), 1);
    return found !== undefined && sameCall(call, found);
  });
}

/** Only what the case holds; a result that is no JSON has none to compare. */
function sameCall(expected: Json, actual: Json): boolean {
  return Object.entries(expected).every(([field, value]) => {
    if (isJson(value) && '$not_json' in value) return true;
    return sameValue(value, actual[field]);
  });
}

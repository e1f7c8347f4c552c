import type { ConformanceCase, Outcome } from '../format';
import { bareSchema } from './bareSchema';
import { ownErrorOf } from './errorClasses';
import { normalText } from './normalText';
import { dataDifferences, differ, isAbsent, isRecord } from './sameData';

/** Compares one field; the rules are in a table by the names of fields. */
type Rule = (expected: unknown, actual: unknown, path: string, testCase: ConformanceCase) => readonly string[];

type DataRule = (expected: unknown, actual: unknown, path: string) => readonly string[];

const text: Rule = (expected, actual, path, { lang_specific: languageSpecific }) => {
  if (isAbsent(expected) && isAbsent(actual)) return [];
  // A text of the reference's language says nothing about ours, but that there is one.
  if (languageSpecific !== undefined && languageSpecific !== false) {
    return typeof expected === typeof actual ? [] : [differ(expected, actual, path)];
  }
  const same =
    typeof expected === 'string' && typeof actual === 'string' && normalText(expected) === normalText(actual);
  return same ? [] : [differ(expected, actual, path)];
};

const data: Rule = (expected, actual, path) => dataDifferences(expected, actual, path);

const schema: Rule = (expected, actual, path) => dataDifferences(bareSchema(expected), bareSchema(actual), path);

const rules: Readonly<Record<string, Rule>> = {
  text,
  message: text,
  tool_message: text,
  rendered_output: text,
  render: text,
  value: (expected, actual, path, testCase) =>
    // What a filesystem answers is ours, with fields that the reference does not have.
    testCase.kind === 'fs' ? heldDifferences(expected, actual, path) : dataDifferences(expected, actual, path),
  dump: data,
  params: data,
  files: data,
  content: text,
  arguments: text,
  has_feedback: (expected, actual, path, testCase) => {
    const whole = expectedOf(testCase);
    // Of a task that is complete there is nothing to say.
    const isSaid = testCase.kind !== 'completion' || !isRecord(whole) || whole['complete'] === false;
    return isSaid ? dataDifferences(expected, actual, path) : [];
  },
  // Fields that every prompt has, or whose form depends on the provider.
  prompt_name: () => [],
  tool_choice: () => [],
  has_response_format: () => [],
  requested_overrides: data,
  section_keys: data,
  tools: data,
  schema,
  parameters: schema,
  session: slices,
  error: errorDifferences,
  tool_param_descriptions: paramDescriptions,
};

/** Describes the differences between the outcome and what the case expects; empty when it conforms. */
export function differencesOf(testCase: ConformanceCase, outcome: Outcome): readonly string[] {
  return compare(expectedOf(testCase), outcome, 'outcome', testCase);
}

/** True if this design decides otherwise than the reference. */
export function isDecidedDifferently(testCase: ConformanceCase): boolean {
  return testCase.ts_expected !== undefined;
}

function expectedOf(testCase: ConformanceCase): unknown {
  return isDecidedDifferently(testCase) ? testCase.ts_expected : testCase.expected;
}

function compare(expected: unknown, actual: unknown, path: string, testCase: ConformanceCase): readonly string[] {
  if (isAbsent(expected) && isAbsent(actual)) return [];
  if (Array.isArray(expected)) {
    // Lists are complete: one entry more is as wrong as one less.
    if (!Array.isArray(actual) || actual.length !== expected.length) return [differ(expected, actual, path)];
    return expected.flatMap((item, index) => compare(item, actual[index], `${path}[${index}]`, testCase));
  }
  if (!isRecord(expected)) return dataDifferences(expected, actual, path);
  if (!isRecord(actual)) return [differ(expected, actual, path)];
  return [
    ...unexpectedError(expected, actual, path),
    ...Object.entries(expected).flatMap(([name, value]) => {
      const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
      return (rule ?? compare)(value, actual[name], `${path}.${name}`, testCase);
    }),
  ];
}

/** An error is never a field that just was not asked for. */
function unexpectedError(expected: Outcome, actual: Outcome, path: string): readonly string[] {
  return isAbsent(expected['error']) && !isAbsent(actual['error'])
    ? [differ(undefined, actual['error'], `${path}.error`)]
    : [];
}

function errorDifferences(
  expected: unknown,
  actual: unknown,
  path: string,
  testCase: ConformanceCase,
): readonly string[] {
  if (!isRecord(expected) || !isRecord(actual))
    return isAbsent(expected) && isAbsent(actual) ? [] : [differ(expected, actual, path)];
  const own = ownErrorOf(testCase.area, String(expected['class']));
  const differences: string[] = [];
  if (actual['class'] !== own.class) differences.push(differ(own.class, actual['class'], `${path}.class`));
  if (own.code !== undefined && actual['code'] !== own.code)
    differences.push(differ(own.code, actual['code'], `${path}.code`));
  if (own.kind?.includes(String(actual['kind'])) === false)
    differences.push(differ(own.kind.join(' or '), actual['kind'], `${path}.kind`));
  for (const [name, value] of Object.entries(errorFields(expected, testCase))) {
    differences.push(...dataDifferences(value, actual[name], `${path}.${name}`));
  }
  return differences;
}

/** The fields of the expected error that are compared, in our form. */
function errorFields(expected: Outcome, { kind, lang_specific: languageSpecific }: ConformanceCase): Outcome {
  const {
    class: symbolicClass,
    message: _message,
    placeholder,
    params_type,
    section_path,
    stage,
    ...fields
  } = expected;
  const isTemplate = kind === 'flow' && section_path !== undefined;
  if (languageSpecific !== undefined && languageSpecific !== false) return { stage };
  return {
    ...fields,
    ...(stage === undefined ? {} : { stage }),
    ...(Array.isArray(section_path) ? { section_path: section_path.join('.') } : {}),
    // What a tool's error calls a placeholder is its name or an option: only those of templates are compared.
    ...(isTemplate && placeholder !== undefined ? { placeholder } : {}),
    // The caller knows the form that it asked for.
    ...(params_type === undefined || params_type === 'NoneType' || symbolicClass === 'OutputParseError'
      ? {}
      : { params_type }),
  };
}

/** Observed slices as wholes; how policies remember is our own business. */
function slices(expected: unknown, actual: unknown, path: string): readonly string[] {
  return eachHeld(expected, actual, path, (values, own, at) =>
    at === `${path}.PolicyState` ? [] : dataDifferences(values, own, at),
  );
}

/** Of parameters, the reference knows the description alone; ours have type and default on top. */
function paramDescriptions(expected: unknown, actual: unknown, path: string): readonly string[] {
  return eachHeld(expected, actual, path, (params, own, at) =>
    eachHeld(params, own, at, (wanted, got, field) => {
      const description = isRecord(got) ? got['description'] : undefined;
      return dataDifferences(isRecord(wanted) ? wanted['description'] : wanted, description, field);
    }),
  );
}

/** The entries that the case holds; more of them on our side do not matter. */
function eachHeld(expected: unknown, actual: unknown, path: string, rule: DataRule): readonly string[] {
  if (!isRecord(expected) || !isRecord(actual)) return [differ(expected, actual, path)];
  return Object.entries(expected).flatMap(([name, value]) => rule(value, actual[name], `${path}.${name}`));
}

/** Whole lists, and of each record what the case holds. */
function heldDifferences(expected: unknown, actual: unknown, path: string): readonly string[] {
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    return expected.flatMap((entry, index) => heldDifferences(entry, actual[index], `${path}[${index}]`));
  return isRecord(expected)
    ? eachHeld(expected, actual, path, dataDifferences)
    : dataDifferences(expected, actual, path);
}

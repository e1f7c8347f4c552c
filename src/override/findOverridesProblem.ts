import { isArray, isRecord } from '../common/guards.js';
import { MAX_DOLLARS } from '../common/limits.js';
import { describeValue, didYouMean, keyText, quote } from '../common/text.js';
import type { PromptOverrides } from '../interface/OverridesStore.js';

/** Returns the problem of a value with its place; undefined if there is none. */
type Check = (value: unknown, path: string) => string | undefined;

function findFirst<T>(items: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = check(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const isText: Check = (value, path) =>
  typeof value === 'string' ? undefined : `${path} is ${describeValue(value)}, not a text`;

const isThere: Check = (value, path) => (value === undefined ? `${path} is missing` : undefined);

function findObjectProblem(value: unknown, path: string): string | undefined {
  const isObject = isRecord(value);
  return isObject ? undefined : `${path === '' ? 'the stored value' : path} is ${describeValue(value)}, not an object`;
}

/** Checks an object with any names and values of one kind. */
const recordOf =
  (check: Check): Check =>
  (value, path) =>
    findObjectProblem(value, path) ??
    findFirst(Object.entries(value as object), ([name, entry]) => check(entry, `${path}[${quote(name)}]`));

const listOf =
  (check: Check): Check =>
  (value, path) =>
    isArray(value)
      ? findFirst([...value.entries()], ([index, entry]) => check(entry, `${path}[${String(index)}]`))
      : `${path} is ${describeValue(value)}, not a list`;

/** Checks an object with known, optional members. */
const objectOf = (members: Readonly<Record<string, Check>>): Check => {
  const names = Object.keys(members);
  const known = new Map(Object.entries(members));
  return (value, path) =>
    findObjectProblem(value, path) ??
    findFirst(Object.entries(value as object), ([name, entry]) => {
      const check = known.get(name);
      const below = path === '' ? keyText(name) : `${path}.${keyText(name)}`;
      if (check === undefined) return `${below} is not a member of overrides.${didYouMean(name, names)}`;
      return entry === undefined ? undefined : check(entry, below);
    });
};

const isExample: Check = (value, path) =>
  objectOf({ description: isText, input: isThere, output: isThere })(value, path) ??
  findFirst(['description', 'input', 'output'], (name) =>
    isThere((value as Readonly<Record<string, unknown>>)[name], `${path}.${name}`),
  );

const isOverrides = objectOf({
  sections: recordOf(objectOf({ body: isText, bodyHash: isText, summary: isText, summaryHash: isText })),
  tools: recordOf(
    objectOf({ description: isText, params: recordOf(isText), examples: listOf(isExample), contractHash: isText }),
  ),
});

export function findOverridesProblem(value: unknown): string | undefined {
  return isOverrides(value, '') ?? findDollarsProblem(value as PromptOverrides);
}

function findDollarsProblem({ sections = {} }: PromptOverrides): string | undefined {
  let dollars = 0;
  for (const { body = '', summary = '' } of Object.values(sections))
    dollars += countDollars(body) + countDollars(summary);
  if (dollars <= MAX_DOLLARS) return undefined;
  return `sections hold ${String(dollars)} dollar signs, and at most ${String(MAX_DOLLARS)} are read`;
}

function countDollars(text: string): number {
  let count = 0;
  for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', at + 1)) count++;
  return count;
}

import { isRecord, isText } from '../common/guards.js';
import type { ToolExample } from '../tool/ToolHandler.js';
import type { ToolHints } from '../value/ToolHints.js';
import type { FeedbackTrigger } from '../interface/FeedbackProvider.js';
import { findUnknownOption, type OptionNames } from '../error/optionNames.js';
import type {
  GuardrailOptions,
  ExecutionLimits,
  DefinedHandler,
  ToolOptions,
  ToolRetry,
} from '../metadata/args/ToolMetadataArgs.js';
import type { PromptOptions, SearchOptions, SectionOptions } from '../metadata/args/SectionMetadataArgs.js';
import { isStandardSchema } from '../schema/standard/standardSchemas.js';
import { isVisibility } from '../value/SectionVisibility.js';
import { isResultOptions, type ResultOptions, isTypeReference } from '../metadata/args/TypeReference.js';
import { flag, ruled, text, type OptionKind, type OptionKinds } from '../metadata/args/readOptions.js';

const isFunction = (value: unknown): boolean => typeof value === 'function';
/** Returns false for a value that contains itself or a function. */
const isJson = (value: unknown): boolean => {
  let fits = true;
  try {
    JSON.stringify(value, (_key, part: unknown) => {
      fits &&= typeof part !== 'function' && typeof part !== 'symbol';
      return part;
    });
  } catch {
    return false;
  }
  return fits;
};
const isListOf =
  (fits: (item: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(fits);

/** Accepts objects, also of a class, with these members. */
const hasMembers =
  (members: Readonly<Record<string, (value: unknown) => boolean>>) =>
  (value: unknown): boolean =>
    isRecord(value) && Object.entries(members).every(([name, fits]) => fits(value[name]));
const isOneOf =
  (...values: readonly string[]) =>
  (value: unknown): boolean =>
    values.includes(value as string);
const isPositive = (value: unknown): boolean => typeof value === 'number' && value > 0;

const classes: OptionKind = { expected: 'a list of classes', fits: Array.isArray };

/** Returns true for a trigger that can become due. */
const isTrigger = (value: unknown): boolean => {
  if (!isRecord(value)) return false;
  const { everyCalls: calls, everySeconds: seconds, fileCreated: path } = value as FeedbackTrigger;
  const faults = [
    calls !== undefined && !(Number.isInteger(calls) && calls > 0),
    seconds !== undefined && !(Number.isFinite(seconds) && seconds > 0),
    path !== undefined && !(isText(path) && path.trim() !== ''),
    calls === undefined && seconds === undefined && path === undefined,
  ];
  return !faults.includes(true);
};

const guardrailKinds: OptionKinds<GuardrailOptions> = {
  policies: {
    expected: 'a list of policies, each with a name and a method check',
    fits: isListOf(hasMembers({ name: isText, check: isFunction })),
  },
  requiresApproval: {
    expected: 'true, false or a function of the params',
    fits: (value) => flag.fits(value) || isFunction(value),
  },
  feedback: {
    expected:
      'a list of feedback providers, each with a name, a method provide and a trigger: everyCalls (a whole number from 1 on), everySeconds (a number above 0) or fileCreated (a path)',
    fits: isListOf(hasMembers({ name: isText, provide: isFunction, trigger: isTrigger })),
  },
  completion: {
    expected: 'a list of completion checkers, each with a name and a method check',
    fits: isListOf(hasMembers({ name: isText, check: isFunction })),
  },
};

const limitKinds: OptionKinds<ExecutionLimits> = {
  timeoutMs: { expected: 'a positive number of milliseconds', fits: isPositive },
  resultLimit: { expected: 'a positive number of characters', fits: isPositive },
};

const isRetry = (value: unknown): boolean => {
  if (!isRecord(value)) return false;
  const { attempts, backoffMs = 0, on } = value as unknown as ToolRetry;
  return (
    Number.isInteger(attempts) &&
    attempts >= 2 &&
    attempts <= 10 &&
    typeof backoffMs === 'number' &&
    backoffMs >= 0 &&
    backoffMs <= 60_000 &&
    (on === undefined || isFunction(on))
  );
};

const bindings: OptionKind = {
  expected: 'a list of bindings, made with bind()',
  fits: isListOf(hasMembers({ type: isFunction, provide: isFunction })),
};

const searchNames: OptionNames<SearchOptions> = { aboveTokens: 1, embed: 1 };

const isSearch = (value: unknown): boolean => {
  if (!isRecord(value)) return typeof value === 'boolean';
  const { aboveTokens = 0, embed } = value as SearchOptions;
  const isCount = typeof aboveTokens === 'number' && aboveTokens >= 0;
  return isCount && (embed === undefined || isFunction(embed)) && findUnknownOption(value, searchNames) === undefined;
};

export const promptKinds: OptionKinds<PromptOptions> = {
  ns: ruled,
  key: ruled,
  name: text,
  sections: { ...classes, required: true, instead: [] },
  heading: {
    expected: "'numbered-path', 'numbered', 'plain' or a function",
    fits: (value) => isFunction(value) || isOneOf('numbered-path', 'numbered', 'plain')(value),
  },
  fieldNames: { expected: "'as-is' or 'snake_case'", fits: isOneOf('as-is', 'snake_case') },
  toolTexts: { expected: "'portable' or 'wide'", fits: isOneOf('portable', 'wide') },
  output: ruled,
  allowExtraKeys: flag,
  disclosure: { expected: "'open' or 'auto'", fits: isOneOf('open', 'auto') },
  search: {
    expected: 'true, false, or { aboveTokens, embed }: a number of tokens from 0 on, and a function of texts',
    fits: isSearch,
    // Otherwise a searchable section would be reported as well.
    instead: false,
  },
  resources: bindings,
  extensions: {
    expected: 'a list of extensions, each with a name, toolNames, a method extend and, optionally, a method check',
    fits: isListOf(
      hasMembers({
        name: isText,
        toolNames: isListOf(isText),
        extend: isFunction,
        check: (value) => value === undefined || isFunction(value),
      }),
    ),
  },
  ...limitKinds,
  ...guardrailKinds,
};

/** A text with placeholders. */
const template: OptionKind = {
  expected: 'a text, or a text with the tag md',
  fits: (value) => isText(value) || hasMembers({ strings: isListOf(isText), names: isListOf(isText) })(value),
};

export const sectionKinds: OptionKinds<SectionOptions> = {
  key: text,
  title: ruled,
  template,
  summary: template,
  visibility: {
    expected: "a function, 'full' or 'summary'",
    fits: (value) => isFunction(value) || isVisibility(value),
  },
  params: { expected: 'a class or a thunk of one', fits: isFunction },
  defaults: ruled,
  children: classes,
  searchable: flag,
  tools: classes,
  enabled: { expected: 'a function, true or false', fits: (value) => isFunction(value) || flag.fits(value) },
  renderBody: { expected: 'a function', fits: isFunction },
  acceptsOverrides: flag,
  resources: bindings,
  ...limitKinds,
  ...guardrailKinds,
};

/** The options of `defineSection`, which has no class to derive a key from. */
export const definedSectionKinds: OptionKinds<SectionOptions> = { ...sectionKinds, key: { ...text, required: true } };

const isResultType = (value: unknown): boolean => isTypeReference(value) || isStandardSchema(value);
const resultNames: OptionNames<ResultOptions> = { type: 1, mismatch: 1 };

const areResultOptions = (value: ResultOptions): boolean => {
  const { type, mismatch = 'fail' }: { readonly type?: unknown; readonly mismatch?: unknown } = value;
  // The reader of types explains a type that a circular import had not loaded yet.
  const isNamed = type === undefined || type === null || isResultType(type);
  return isNamed && findUnknownOption(value, resultNames) === undefined && isOneOf('fail', 'warn')(mismatch);
};

export const toolKinds: OptionKinds<ToolOptions> = {
  name: text,
  description: ruled,
  params: {
    expected: 'a class, a thunk of one, or a Standard Schema',
    fits: (value) => isFunction(value) || isRecord(value),
  },
  result: {
    expected:
      "a class, a type reference such as [X] or { record: X }, a Standard Schema, or { type: X, mismatch: 'fail' | 'warn' }",
    fits: (value) => isResultType(value) || (isResultOptions(value) && areResultOptions(value)),
  },
  returnSchema: {
    expected: 'a JSON Schema, as an object',
    fits: (value) => isRecord(value) && !isStandardSchema(value) && isJson(value),
  },
  examples: {
    expected: 'a list of { description, input, output }',
    fits: isListOf(isRecord),
    names: { description: 1, input: 1, output: 1 } satisfies OptionNames<ToolExample>,
  },
  acceptsOverrides: flag,
  hints: {
    expected: 'readOnly, destructive, idempotent and openWorld, each true or false',
    fits: (value) => isRecord(value) && Object.values(value).every((hint) => hint === undefined || flag.fits(hint)),
    names: { readOnly: 1, destructive: 1, idempotent: 1, openWorld: 1 } satisfies OptionNames<ToolHints>,
  },
  retry: {
    expected:
      'attempts (a whole number from 2 to 10) and, optionally, backoffMs (0 to 60,000) and on (a function of the error)',
    fits: isRetry,
    names: { attempts: 1, backoffMs: 1, on: 1 } satisfies OptionNames<ToolRetry>,
  },
  onUnknown: { expected: "'fail', 'repeat' or 'ask'", fits: isOneOf('fail', 'repeat', 'ask') },
  preview: { expected: 'a function', fits: isFunction },
  callers: {
    expected: "a list of 'direct' or 'program' or both",
    fits: (value) => isListOf(isOneOf('direct', 'program'))(value) && (value as readonly unknown[]).length > 0,
  },
  ...limitKinds,
  ...guardrailKinds,
};

/** The options of `defineTool`, which has no class to derive a name from. */
export const definedToolKinds: OptionKinds<ToolOptions> = { ...toolKinds, name: { ...text, required: true } };

export const handlerKinds: OptionKinds<{ readonly handler: DefinedHandler }> = {
  handler: {
    expected: 'a function, or null for a tool without a handler',
    fits: (value) => value === null || isFunction(value),
    required: true,
    instead: null,
  },
};

import type { PromptOptions, SectionOptions } from '../metadata/args/SectionMetadataArgs.js';
import type { DefinedHandler, ToolOptions } from '../metadata/args/ToolMetadataArgs.js';
import { isStandardSchema } from '../schema/standard/isStandardSchema.js';
import { isTypeReference } from '../metadata/args/isTypeReference.js';
import type { OptionKind, OptionKinds } from '../metadata/args/readOptions.js';

const isText = (value: unknown): value is string => typeof value === 'string';
const isFunction = (value: unknown): boolean => typeof value === 'function';
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** False for what holds itself, or a function. */
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

const text: OptionKind = { expected: 'a text', fits: isText };
const flag: OptionKind = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
/** For options that have a rule of their own, which says more than that they are of the wrong kind. */
const ruled: OptionKind = { expected: '', fits: () => true };
const classes: OptionKind = { expected: 'a list of classes', fits: Array.isArray };

/** What stands in `@Prompt` and `definePrompt`. */
export const promptKinds: OptionKinds<PromptOptions> = {
  ns: ruled,
  key: ruled,
  name: text,
  sections: { ...classes, required: true, instead: [] },
  heading: {
    expected: "'numbered-path', 'numbered', 'plain' or a function",
    fits: (value) => isFunction(value) || ['numbered-path', 'numbered', 'plain'].includes(value as string),
  },
};

/** What stands in `@Section`. */
export const sectionKinds: OptionKinds<SectionOptions> = {
  key: text,
  title: ruled,
  template: {
    expected: 'a text, or a text with the tag md,',
    fits: (value) =>
      isText(value) ||
      (isObject(value) &&
        isListOf(isText)((value as { strings?: unknown }).strings) &&
        isListOf(isText)((value as { names?: unknown }).names)),
  },
  params: { expected: 'a class or a thunk of one', fits: isFunction },
  defaults: ruled,
  children: classes,
  tools: classes,
  enabled: { expected: 'a function, true or false', fits: (value) => isFunction(value) || flag.fits(value) },
  renderBody: { expected: 'a function', fits: isFunction },
  acceptsOverrides: flag,
};

/** What stands in `defineSection`, which has no class to take a key from. */
export const definedSectionKinds: OptionKinds<SectionOptions> = { ...sectionKinds, key: { ...text, required: true } };

/** What stands in `@Tool`. */
export const toolKinds: OptionKinds<ToolOptions> = {
  name: text,
  description: ruled,
  params: {
    expected: 'a class, a thunk of one, or a Standard Schema',
    fits: (value) => isFunction(value) || isObject(value),
  },
  result: {
    expected: 'a class, or what names a type, such as [X] or { record: X },',
    fits: isTypeReference,
  },
  returnSchema: {
    expected: 'a JSON Schema, as an object,',
    fits: (value) => isObject(value) && !isStandardSchema(value) && isJson(value),
  },
  examples: { expected: 'a list of { description, input, output }', fits: isListOf(isObject) },
  acceptsOverrides: flag,
  hints: {
    expected: 'an object of true and false',
    fits: (value) => isObject(value) && Object.values(value).every((hint) => hint === undefined || flag.fits(hint)),
  },
  timeoutMs: {
    expected: 'a positive number of milliseconds',
    fits: (value) => typeof value === 'number' && value > 0,
  },
  resultLimit: {
    expected: 'a positive number of characters',
    fits: (value) => typeof value === 'number' && value > 0,
  },
};

/** What stands in `defineTool`, which has no class to take a name or a handler from. */
export const definedToolKinds: OptionKinds<ToolOptions> = { ...toolKinds, name: { ...text, required: true } };

/** The handler of `defineTool`. */
export const handlerKinds: OptionKinds<{ readonly handler: DefinedHandler }> = {
  handler: {
    expected: 'a function, or null for a tool that only advertises,',
    fits: (value) => value === null || isFunction(value),
    required: true,
    instead: null,
  },
};

import { isText, type Fields } from '../../common/guards.js';
import { mapEntries } from '../../common/objects.js';
import type { JsonSchema } from '../../common/types.js';
import { writeLiteralPattern, writePublishedPattern } from '../emit/writePublishedPattern.js';
import { text, type RuleRow } from './Rule.js';
import { textForms } from './textForms.js';

/** Returns a test for a match in a text; `RegExp.test` is faster, but keeps state for /g and /y. */
function createMatcher(pattern: RegExp): (value: unknown) => boolean {
  return pattern.global || pattern.sticky
    ? (value) => isText(value) && value.search(pattern) !== -1
    : (value) => isText(value) && pattern.test(value);
}

/**
 * Checks whether the text has enough characters, counted as class-validator does: surrogate pairs once, variation selectors not
 * at all. A character has at most three units, and exactly one in a text of plain units, so most texts need no counting.
 */
function hasAtLeast(value: unknown, least: number): boolean {
  if (!isText(value) || value.length < least) return false;
  return value.length >= least * 3 || !/[\ud800-\udfff\ufe0e\ufe0f]/.test(value) || !(countCharacters(value) < least);
}

/** Counts as class-validator does: a surrogate pair is one character, and so is a character with its variation selector. */
function countCharacters(value: string): number {
  const selected = value.match(/[^\ufe0f\ufe0e][\ufe0f\ufe0e]/g) ?? [];
  const pairs = value.match(/[\ud800-\udbff][\udc00-\udfff]/g) ?? [];
  return value.length - selected.length - pairs.length;
}

/** Keeps keywords that count; JSON Schema counts only with natural numbers. */
function keepCounts(keywords: Fields): JsonSchema | undefined {
  const said = Object.entries(keywords).filter(([, count]) => Number.isSafeInteger(count) && Number(count) >= 0);
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

function getOption(constraints: readonly unknown[], name: string): unknown {
  return (constraints[0] as Fields | undefined)?.[name];
}

const lengths: Readonly<Record<string, RuleRow>> = {
  minLength: ([least]) => ({
    schema: keepCounts({ minLength: least }),
    expected: `at least ${String(least)} characters`,
    test: (v) => hasAtLeast(v, Number(least)),
  }),
  maxLength: ([most]) => ({
    schema: keepCounts({ maxLength: most }),
    expected: `at most ${String(most)} characters`,
    test: (v) => isText(v) && (v.length <= Number(most) || countCharacters(v) <= Number(most)),
  }),
  isLength: ([least, most]) => ({
    schema: keepCounts({ minLength: least, maxLength: most }),
    expected: `${String(least)} to ${typeof most === 'number' ? String(most) : 'any number of'} characters`,
  }),
  isByteLength: ([least, most]) => ({
    // A character has up to four bytes.
    schema: keepCounts({ minLength: Math.ceil(Number(least) / 4), maxLength: most }),
    unsaid: 'bytes: a character has one to four',
    expected: `${String(least)} to ${typeof most === 'number' ? String(most) : 'any number of'} bytes`,
  }),
};

const contents: Readonly<Record<string, RuleRow>> = {
  contains: ([seed]) => ({
    schema: isText(seed) && seed !== '' ? { pattern: writeLiteralPattern(seed) } : undefined,
    expected: `text that contains ${JSON.stringify(seed)}`,
  }),
  notContains: ([seed]) => ({
    schema: isText(seed) && seed !== '' ? { not: { pattern: writeLiteralPattern(seed) } } : undefined,
    expected: `text that does not contain ${JSON.stringify(seed)}`,
  }),
  matches: ([pattern, modifiers]) => {
    const regex = pattern instanceof RegExp ? pattern : new RegExp(String(pattern), modifiers as string | undefined);
    const published = writePublishedPattern(regex);
    return {
      pattern: regex,
      schema: published === undefined ? undefined : { pattern: published },
      unsaid: published === undefined ? 'flags, which JSON Schema does not know' : undefined,
      expected: `text that matches ${String(regex)}`,
      test: createMatcher(regex),
    };
  },
  isVariableWidth: () => ({
    schema: { allOf: ['isFullWidth', 'isHalfWidth'].map((name) => textForms[name]?.([]).schema ?? {}) },
    expected: 'text with full-width and half-width characters',
  }),
  isJson: () => ({ schema: { contentMediaType: 'application/json' }, expected: 'JSON text' }),
  isBooleanString: () => ({
    schema: { enum: ['true', 'false', '1', '0'] },
    expected: 'one of "true", "false", "1", "0"',
  }),
  isNumberString: (constraints) => {
    const isPlain = getOption(constraints, 'locale') === undefined;
    const digits = getOption(constraints, 'no_symbols') === true;
    return {
      schema: isPlain || digits ? { pattern: digits ? '^[0-9]+$' : '^[+-]?(?:[0-9]*[.])?[0-9]+$' } : undefined,
      unsaid: isPlain || digits ? undefined : 'the decimal separator of its locale',
      expected: digits ? 'digits' : 'a number as text',
    };
  },
  isStrongPassword: ([given]) => createPasswordRule((given ?? {}) as Fields),
};

const passwordClasses: Readonly<Record<string, string>> = {
  minLowercase: '[a-z]',
  minUppercase: '[A-Z]',
  minNumbers: '[0-9]',
  minSymbols: '[-#!$@£%^&*()_+|~=`{}\\[\\]:";\'<>?,./\\\\ ]',
};

function createPasswordRule(options: Fields): ReturnType<RuleRow> {
  const asked = Object.entries(passwordClasses).filter(([name]) => Number(options[name] ?? 1) > 0);
  // class-validator counts UTF-16 units; a character has up to two.
  const minLength = Math.ceil(Number(options['minLength'] ?? 8) / 2);
  const schema = { minLength, ...(asked.length === 0 ? {} : { allOf: asked.map(([, pattern]) => ({ pattern })) }) };
  return {
    schema: options['returnScore'] === true ? undefined : schema,
    unsaid: 'how many of each; the length in UTF-16 units',
    expected: 'a strong password: long enough, with lower-case and upper-case letters, digits and symbols',
  };
}

const hashLengths = new Map([
  ...['md5', 'md4', 'ripemd128', 'tiger128'].map((name) => [name, 32] as const),
  ...['sha1', 'ripemd160', 'tiger160'].map((name) => [name, 40] as const),
  ['tiger192', 48],
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
  ['crc32', 8],
  ['crc32b', 8],
]);

const encodings: Readonly<Record<string, RuleRow>> = {
  isHash: ([algorithm]) => {
    const length = hashLengths.get(String(algorithm));
    return {
      schema: length === undefined ? undefined : { pattern: `^[a-fA-F0-9]{${String(length)}}$` },
      expected: `a hash of type ${String(algorithm)}`,
    };
  },
  isBase64: (constraints) => {
    const isUrlSafe = getOption(constraints, 'urlSafe') === true;
    return {
      schema: isUrlSafe ? { pattern: '^[A-Za-z0-9_-]*={0,2}$' } : { pattern: '^[A-Za-z0-9+/]*={0,2}$' },
      unsaid: 'its padding',
      expected: isUrlSafe ? 'text in base64url' : 'text in base64',
    };
  },
  isUuid: ([version]) => {
    const isNumbered = /^[1-8]$/.test(String(version));
    const pattern = `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-${String(version)}`;
    return {
      schema: { format: 'uuid', ...(isNumbered ? { pattern } : {}) },
      expected: isNumbered ? `a UUID of version ${String(version)}` : 'a UUID',
    };
  },
};

const isAsked = (constraints: readonly unknown[], ...names: readonly string[]): boolean =>
  names.some((name) => getOption(constraints, name) === true);

const addresses: Readonly<Record<string, RuleRow>> = {
  isEmail: (constraints) => {
    const isNamed = isAsked(constraints, 'allow_display_name', 'require_display_name');
    return {
      schema: isNamed ? undefined : { format: 'email' },
      unsaid: isNamed ? 'names before addresses' : undefined,
      expected: 'an e-mail address',
    };
  },
  isUrl: () => ({ schema: { format: 'uri' }, expected: 'a URL' }),
  isFqdn: (constraints) => {
    const isWider = isAsked(
      constraints,
      'allow_underscores',
      'allow_wildcard',
      'allow_trailing_dot',
      'ignore_max_length',
    );
    return {
      schema: isWider ? undefined : { format: 'hostname' },
      unsaid: isWider ? 'its options' : undefined,
      expected: 'a domain name such as example.org',
    };
  },
  isIp: ([version]) => {
    const isNumbered = ['4', '6'].includes(String(version));
    return {
      schema: isNumbered ? { format: `ipv${String(version)}` } : { pattern: '^[0-9a-fA-F:.]+(?:%[0-9a-zA-Z.:-]+)?$' },
      unsaid: isNumbered ? undefined : 'the number of parts',
      expected: isNumbered ? `an IPv${String(version)} address` : 'an IP address',
    };
  },
  isRFC3339: () => ({ schema: { format: 'date-time' }, expected: 'an RFC 3339 date and time' }),
};

const rows: Readonly<Record<string, RuleRow>> = {
  isString: () => ({ expected: 'a string', test: isText }),
  ...lengths,
  ...contents,
  ...encodings,
  ...addresses,
  ...textForms,
};

/** Rules for texts, by class-validator's names. */
export const textRules: Readonly<Record<string, RuleRow>> = mapEntries(rows, (_name, row) => (constraints) => ({
  ...row(constraints),
  type: text,
}));

import { messageOf, quote } from '../../common/text.js';
import type { ParamOptions } from '../../metadata/args/ParamMetadataArgs.js';
import type { Check, TypeShape } from '../../metadata/ClassShape.js';
import type { Fault } from '../../error/Finding.js';
import { selectRelevantRules } from './selectRelevantRules.js';
import type { Rule } from './Rule.js';
import { createFormatRule, formats, rules, formatRule } from './ruleTable.js';
import { describeExpected } from '../emit/describeExpected.js';

/** Options of `@Param` that are rules, and the row of the rule table that each uses. */
const rows = Object.entries({
  min: 'min',
  max: 'max',
  minLength: 'minLength',
  maxLength: 'maxLength',
  pattern: 'matches',
  minItems: 'arrayMinSize',
  maxItems: 'arrayMaxSize',
});

const bounds = [
  ['min', 'max'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
] as const;

/** Reads the rules that the options state, and the type that they imply. */
export function readOptionRules(options: ParamOptions): {
  readonly checks: readonly Check[];
  readonly type: TypeShape | undefined;
  /** The reason, as a sentence, why one of the options cannot be read. */
  readonly unreadable: string | undefined;
  /** Returns the faults of the options for a property of the type. */
  readonly faults: (type: TypeShape) => readonly Fault[];
} {
  const stated: { option: string; rule: Rule; check: Check }[] = [];
  let unreadable: string | undefined;
  for (const [option, row] of rows) {
    const value = options[option as keyof ParamOptions];
    if (value === undefined) continue;
    try {
      const rule = rules.get(row)?.([value]);
      if (rule !== undefined) stated.push({ option, rule, check: createOptionCheck(row, rule) });
    } catch (error) {
      unreadable ??= `its ${option} cannot be read: ${messageOf(error)}`;
    }
  }
  const { format } = options;
  if (format !== undefined && Object.hasOwn(formats, format)) {
    const rule = createFormatRule(format);
    stated.push({ option: 'format', rule, check: createOptionCheck(format, rule) });
  } else if (format !== undefined) unreadable ??= `its format ${quote(format)} is not known`;
  const implied = stated.find(({ rule }) => rule.type !== undefined)?.rule.type;
  return {
    unreadable,
    type: options.integer === true ? { kind: 'integer' } : implied,
    checks: stated.map(({ check }) => check),
    faults: (type) => [
      ...stated
        .filter(({ check }) => !appliesToType(check, type))
        .map(({ option }) => ({
          code: 'E218' as const,
          problem: `its ${option} says nothing about ${describeExpected(type)}`,
        })),
      ...findContradictions(options),
    ],
  };
}

function createOptionCheck(name: string, rule: Rule): Check {
  return {
    name,
    each: false,
    test: rule.test ?? (() => true),
    message: (value) => formatRule(rule, value),
    schema: rule.schema,
    hint: rule.expected,
    pattern: rule.pattern,
  };
}

/** Checks whether the rule can apply to the type; assumes so for a rule without a schema. */
function appliesToType(check: Check, type: TypeShape): boolean {
  return check.schema === undefined || selectRelevantRules([check], type)[0]?.schema !== undefined;
}

function findContradictions(options: ParamOptions): readonly Fault[] {
  return bounds
    .filter(([least, most]) => (options[least] ?? -Infinity) > (options[most] ?? Infinity))
    .map(([least, most]) => ({ code: 'E216', problem: `its ${least} is above its ${most}` }));
}

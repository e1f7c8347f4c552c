import { messageOf, quote } from '../../common/text.js';
import type { ParamOptions } from '../../metadata/args/ParamMetadataArgs.js';
import type { Check, TypeShape } from '../../metadata/ClassShape.js';
import type { FieldFault } from '../read/fieldFaults.js';
import { relevantRules } from './relevantRules.js';
import type { Rule } from './Rule.js';
import { formats, rules, ruleText } from './ruleTable.js';
import { expectedText } from '../emit/typeText.js';

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

/** The rules that the options state, and the type that they imply. */
export function optionRules(options: ParamOptions): {
  readonly checks: readonly Check[];
  readonly type: TypeShape | undefined;
  /** The reason, as a sentence, why one of them cannot be read. */
  readonly unreadable: string | undefined;
  /** The faults of the options for a property of the type. */
  readonly faults: (type: TypeShape) => readonly FieldFault[];
} {
  const stated: { option: string; name: string; rule: Rule }[] = [];
  let unreadable: string | undefined;
  for (const [option, row] of rows) {
    const value = options[option as keyof ParamOptions];
    if (value === undefined) continue;
    try {
      const rule = rules.get(row)?.([value]);
      if (rule !== undefined) stated.push({ option, name: row, rule });
    } catch (error) {
      unreadable ??= `its ${option} cannot be read: ${messageOf(error)}`;
    }
  }
  const { format } = options;
  if (format !== undefined && Object.hasOwn(formats, format))
    stated.push({ option: 'format', name: format, rule: formats[format] });
  else if (format !== undefined) unreadable ??= `its format ${quote(format)} is not known`;
  const implied = stated.find(({ rule }) => rule.type !== undefined)?.rule.type;
  return {
    unreadable,
    type: options.integer === true ? { kind: 'integer' } : implied,
    checks: stated.map(checkOf),
    faults: (type) => [
      ...stated.filter((one) => !fits(checkOf(one), type)).map(({ option }) => misfit(option, type)),
      ...contradictions(options),
    ],
  };
}

function checkOf({ name, rule }: { readonly name: string; readonly rule: Rule }): Check {
  return {
    name,
    each: false,
    test: rule.test ?? (() => true),
    message: (value) => ruleText(rule, value),
    schema: rule.schema,
    hint: rule.expected,
    pattern: rule.pattern,
  };
}

/** True if the rule can apply to the type; a rule without a schema is assumed to. */
function fits(check: Check, type: TypeShape): boolean {
  return check.schema === undefined || relevantRules([check], type)[0]?.schema !== undefined;
}

function misfit(option: string, type: TypeShape): FieldFault {
  return { code: 'E218', problem: `its ${option} says nothing about ${expectedText(type)}` };
}

function contradictions(options: ParamOptions): readonly FieldFault[] {
  return bounds
    .filter(([least, most]) => (options[least] ?? -Infinity) > (options[most] ?? Infinity))
    .map(([least, most]) => ({ code: 'E216', problem: `its ${least} is above its ${most}` }));
}

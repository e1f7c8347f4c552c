import { messageOf, quote } from '../common/text.js';
import type { ParamOptions } from '../metadata/args/ParamMetadataArgs.js';
import type { Check, TypeShape } from '../metadata/ClassShape.js';
import type { Rule } from './Rule.js';
import { formats, rules, ruleText } from './ruleTable.js';

/** Options of `@Param` that are rules, and the row that each stands for. */
const rows = Object.entries({
  min: 'min',
  max: 'max',
  minLength: 'minLength',
  maxLength: 'maxLength',
  pattern: 'matches',
  minItems: 'arrayMinSize',
  maxItems: 'arrayMaxSize',
});

/** The rules that the options state, and the type that they imply. */
export function optionRules(options: ParamOptions): {
  readonly checks: readonly Check[];
  readonly type: TypeShape | undefined;
  /** Why one of them cannot be read, as a sentence. */
  readonly unreadable: string | undefined;
} {
  const stated: { name: string; rule: Rule }[] = [];
  let unreadable: string | undefined;
  for (const [option, row] of rows) {
    const value = options[option as keyof ParamOptions];
    if (value === undefined) continue;
    try {
      const rule = rules.get(row)?.([value]);
      if (rule !== undefined) stated.push({ name: row, rule });
    } catch (error) {
      unreadable ??= `its ${option} cannot be read: ${messageOf(error)}`;
    }
  }
  const { format } = options;
  if (format !== undefined && Object.hasOwn(formats, format)) stated.push({ name: format, rule: formats[format] });
  else if (format !== undefined) unreadable ??= `its format ${quote(format)} is not known`;
  const implied = stated.find(({ rule }) => rule.type !== undefined)?.rule.type;
  return {
    unreadable,
    type: options.integer === true ? { kind: 'integer' } : implied,
    checks: stated.map(({ name, rule }) => ({
      name,
      each: false,
      test: rule.test ?? (() => true),
      message: (value) => ruleText(rule, value),
      schema: rule.schema,
      hint: rule.expected,
      pattern: rule.pattern,
    })),
  };
}

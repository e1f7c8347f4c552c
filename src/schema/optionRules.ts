import type { ParamOptions } from '../metadata/args/ParamMetadataArgs.js';
import type { Check, TypeShape } from '../metadata/ClassShape.js';
import { formats, rules, ruleText, type Rule } from './ruleTable.js';

/** Options of `@Param` that are rules, and the row that each stands for. */
const rows: Readonly<Record<string, string>> = {
  min: 'min',
  max: 'max',
  minLength: 'minLength',
  maxLength: 'maxLength',
  pattern: 'matches',
  minItems: 'arrayMinSize',
  maxItems: 'arrayMaxSize',
};

/** The rules that the options state, and the type that they imply. */
export function optionRules(options: ParamOptions): {
  readonly checks: readonly Check[];
  readonly type: TypeShape | undefined;
} {
  const stated: { name: string; rule: Rule }[] = [];
  for (const [option, row] of Object.entries(rows)) {
    const value = options[option as keyof ParamOptions];
    const rule = value === undefined ? undefined : rules.get(row)?.([value]);
    if (rule !== undefined) stated.push({ name: row, rule });
  }
  if (options.format !== undefined) stated.push({ name: options.format, rule: formats[options.format] });
  const implied = stated.find(({ rule }) => rule.type !== undefined)?.rule.type;
  return {
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

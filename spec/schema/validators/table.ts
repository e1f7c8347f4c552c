import { isDeepStrictEqual } from 'node:util';
import { getMetadataStorage } from 'class-validator';
import type { Constructor, JsonSchema } from 'toolwright';
import { writeClassSchema } from '../../../src/schema/emit/writeClassSchema';
import { rules } from '../../../src/schema/rules/ruleTable';
import { shapeOf } from '../reading';
import { classWith, samples } from './samples';
import type { Held, ValidatorSample } from './ValidatorSample';

/** Decorators that check no value themselves, and their effect on the schema. */
export const structural: Readonly<Record<string, string>> = {
  Allow: 'the property is known; nothing else',
  IsDefined: '`required`',
  IsOptional: 'not in `required`',
  ValidateIf: 'not in `required`; the rules of the property are only checked, since they do not always hold',
  ValidateNested: 'the schema of the class',
  ValidatePromise: 'nothing: JSON has no promises',
  Validate: 'nothing: the rule is your code, and only checked',
  ValidateBy: 'nothing: the rule is your code, and only checked',
};

/** The part of a decorator's rule that is not in the schema, by the table of rules. */
function unsaidOf({ make }: ValidatorSample): string {
  class Probe {}
  make()(Probe.prototype, 'v');
  const [row] = getMetadataStorage().getTargetValidationMetadatas(Probe, '', true, false);
  return rules.get(row?.name ?? '')?.((row?.constraints as unknown[] | undefined) ?? []).unsaid ?? '';
}

const propertyOf = (type: Constructor): JsonSchema =>
  (writeClassSchema(shapeOf(type)) as { properties: { v: JsonSchema } }).properties.v;

/** The keywords that a decorator adds to the schema of a property of its type. */
function saidBy({ on, make }: ValidatorSample): readonly (readonly [string, unknown])[] {
  const before = propertyOf(classWith(on));
  const after = propertyOf(classWith(on, make()));
  return Object.entries(after).filter(([keyword, value]) => !isDeepStrictEqual(before[keyword], value));
}

const nouns: Readonly<Record<Held, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'a boolean',
  date: 'a date',
  strings: 'a list',
  numbers: 'a list',
  record: 'a map',
};

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;
const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function row(sample: ValidatorSample): readonly [string, string, string] {
  const said = saidBy(sample).map(([keyword, value]) => code(`${keyword}: ${shown(value)}`));
  const own = samples.filter(({ decorator }) => decorator === sample.decorator);
  const place = own.some(({ on }) => nouns[on] !== nouns[sample.on]) ? ` on ${nouns[sample.on]}` : '';
  return [`${code(`@${sample.call}`)}${place}`, said.join(', ') || 'its type', unsaidOf(sample)];
}

/** The table of docs/schemas.md: what each decorator says in the schema. */
export function validatorTable(): string {
  const lines = ['| decorator | the schema says | only checked |', '|---|---|---|'];
  for (const [name, says] of Object.entries(structural)) lines.push(`| \`@${name}\` | ${says} | |`);
  const told = new Set<string>();
  for (const sample of samples) {
    if (sample.decorator in structural) continue;
    const [call, says, unsaid] = row(sample);
    // Once for each way in which it speaks, whatever its arguments.
    const way = JSON.stringify([
      sample.decorator,
      nouns[sample.on],
      saidBy(sample).map(([keyword]) => keyword),
      unsaid,
    ]);
    if (told.has(way)) continue;
    told.add(way);
    lines.push(`| ${call} | ${says} | ${unsaid === '' ? '' : `${unsaid} `}|`);
  }
  return lines.join('\n');
}

import { getEffect } from '../value/ToolHints.js';
import type { ToolMetadata } from './ToolMetadata.js';

/** A property of a tool that its author may want to change. */
export interface ToolFinding {
  /** Name of the rule, such as `unknown-effect`. */
  readonly rule: string;
  readonly problem: string;
  readonly remedy: string;
}

type Schema = Readonly<Record<string, unknown>>;

/** Characters of a long description. It is read with every request, and seldom helps. */
const LONG = 1_000;
const MANY = 12;

/** Lists unusual properties of a tool. Faults are refused when the application is created. */
export function toolFindings({ name, description, schema, hints, preview }: ToolMetadata): readonly ToolFinding[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>);
  const bare = properties.filter(([, property]) => typeof property['description'] !== 'string');
  const effect = getEffect(hints);
  return [
    ...bare.map(([property]) => ({
      rule: 'parameter-without-description',
      problem: `the model is not told what ${property} means`,
      remedy: `Describe it: @Param('…') ${property}.`,
    })),
    ...findIf(effect === 'unknown', {
      rule: 'unknown-effect',
      problem: 'no hint says what it does outside: when it fails, the model reads that anything may have happened',
      remedy: 'Add hints: readOnly, idempotent, or openWorld: false.',
    }),
    ...findIf(effect !== 'none' && preview === null, {
      rule: 'no-rehearsal',
      problem: `${name} cannot be rehearsed, since it may act outside`,
      remedy: 'Add a preview: @Tool({ preview }); or the hint that fits, readOnly or openWorld: false.',
    }),
    ...findIf(description.length > LONG, {
      rule: 'long-description',
      problem: `the description has ${String(description.length)} characters, which every request holds`,
      remedy: 'Move rules into the text of the section, and keep what the tool does.',
    }),
    ...findIf(properties.length > MANY, {
      rule: 'many-parameters',
      problem: `it takes ${String(properties.length)} parameters`,
      remedy: 'Divide the tool, or group parameters into an object.',
    }),
  ];
}

function findIf(applies: boolean, finding: ToolFinding): readonly ToolFinding[] {
  return applies ? [finding] : [];
}

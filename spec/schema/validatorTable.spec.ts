import { readFileSync, writeFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import * as classValidator from 'class-validator';
import fc from 'fast-check';
import { writeClassSchema } from '../../src/schema/emit/writeClassSchema';
import { rules } from '../../src/schema/rules/ruleTable';
import { expectEqual } from '../support/expectEqual';
import { issuesOf, parserOf, shapeOf } from './reading';
import { classWith, samples } from './validators/samples';
import { structural, validatorTable } from './validators/table';
import type { ValidatorSample } from './validators/ValidatorSample';

const page = join(__dirname, '../../docs/schemas.md');
const MARKED = /(<!-- rules of class-validator[^>]*-->\n)[\s\S]*?(\n<!-- end -->)/;

/** The page with the table of rules in its place. */
function regenerated(text: string): string {
  return text.replace(MARKED, (_all, before: string, after: string) => `${before}\n${validatorTable()}\n${after}`);
}

describe('docs/schemas.md', () => {
  test('docs/schemas.md lists every rule as the table of rules does (UPDATE_DOCS=1 writes it)', () => {
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, regenerated(readFileSync(page, 'utf8')));
    const text = readFileSync(page, 'utf8');
    expect(text).toMatch(MARKED);
    expect(text).toBe(regenerated(text));
  });

  test('docs/schemas.md has a row for every decorator that class-validator exports', () => {
    const classes = ['MetadataStorage', 'ValidationError', 'ValidationTypes', 'Validator'];
    // It marks classes, not properties.
    const others = ['ValidatorConstraint', ...classes];
    const exported = Object.entries(classValidator)
      .filter(([name, value]) => typeof value === 'function' && /^[A-Z][a-z]/.test(name) && !others.includes(name))
      .map(([name]) => name);
    const known = new Set([...Object.keys(structural), ...samples.map(({ decorator }) => decorator)]);
    expect(exported.length).toBeGreaterThan(100);
    expect(exported.filter((name) => !known.has(name))).toEqual([]);
  });
});

/** Every format that is published, as widely as its rule takes it: a format is a hint, no rule (docs/schemas.md). */
const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  formats: {
    'date-time': (text: string) => /^[+-]?\d{4}/.test(text),
    email: /^[^\s@]+@[^\s@]+$/,
    uri: /^[^\s<>]+$/,
    hostname: /^[^\s/@]+(\.[^\s/@]+)+$/,
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    ipv4: /^\d{1,3}(\.\d{1,3}){3}$/,
    ipv6: (text: string) => isIPv6(text),
  },
});

const letters = fc.constantFrom(...Array.from('aZ09é😀 -+.:,/#()=_%\n'));

/** Values near those that a rule takes and refuses. */
function near({ good, bad }: ValidatorSample): fc.Arbitrary<unknown> {
  const known = fc.constantFrom(...good, ...bad);
  const changed = fc
    .tuple(known, fc.nat(40), fc.nat(2), fc.array(letters, { maxLength: 2 }))
    .map(([value, at, less, more]) => {
      if (typeof value === 'string') return value.slice(0, at) + more.join('') + value.slice(at + less);
      if (typeof value === 'number') return value + less / 2;
      return Array.isArray(value) ? [...(value as unknown[]), ...more].slice(less) : value;
    });
  return fc.oneof(known, changed);
}

describe.each(samples.map((sample) => [`@${sample.call} on ${sample.on}`, sample] as const))('%s', (_call, sample) => {
  const { make, on, good, bad } = sample;
  const type = classWith(on, make());
  const parse = parserOf(type);

  test('a rule takes and refuses what class-validator takes and refuses', () => {
    const judged = (v: unknown): boolean => {
      const held = on === 'date' ? new Date(v as string) : v;
      return classValidator.validateSync(Object.assign(new type(), { v: held })).length === 0;
    };
    expect(good.filter((v) => !judged(v))).toEqual([]);
    expect(good.filter((v) => !parse({ v }).ok)).toEqual([]);
    expect(bad.filter(judged)).toEqual([]);
    for (const v of bad) expect(issuesOf(type, { v })).toMatchObject([{ path: 'v' }]);
  });

  test('the schema refuses nothing that the decorator accepts', () => {
    const valid = ajv.compile(writeClassSchema(shapeOf(type)));
    fc.assert(
      fc.property(near(sample), (v) => {
        const value: unknown = { v };
        if (parse(value).ok) expectEqual([v, valid(value), valid.errors], [v, true, null]);
      }),
      { numRuns: 150, examples: good.map((v) => [v]) },
    );
  });
});

test('every rule of class-validator has a text and, where it is about texts, a type', () => {
  for (const { make, on } of samples) {
    class Probe {}
    make()(Probe.prototype, 'v');
    const [row] = classValidator.getMetadataStorage().getTargetValidationMetadatas(Probe, '', true, false);
    const rule = rules.get(String(row?.name))?.((row?.constraints as unknown[] | undefined) ?? []);
    expect({ name: row?.name, on, known: rule !== undefined }).toEqual({ name: row?.name, on, known: true });
    expect(rule?.expected).toMatch(/^\S/);
  }
});

import { toStandardJsonSchema } from '@valibot/to-json-schema';
import type * as Arktype from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { esmPackage } from '../../schema/standard/esmPackage';
import { FOUR_WAYS, point, THREE_WAYS, times, type HostileValue } from './hostileValue';

const { type: arktype } = esmPackage('arktype') as typeof Arktype;

/** Values by the schema of another library that takes long for them. */
export const hostileLibraries: Readonly<Record<string, HostileValue>> = {
  'zod: a pattern with 3 ways for each of 16 characters': {
    params: () => z.object({ a: z.string().regex(THREE_WAYS) }),
    value: { a: '1'.repeat(16) },
  },
  'zod: a pattern with 4 ways for each of 16 characters': {
    params: () => z.object({ a: z.string().regex(FOUR_WAYS) }),
    value: { a: '1'.repeat(16) },
    isEndless: true,
  },
  'zod: the same in a refinement': {
    params: () => z.object({ a: z.string().refine((text) => FOUR_WAYS.test(text)) }),
    value: { a: '1'.repeat(16) },
    isEndless: true,
  },
  'zod: the same in keys': {
    params: () => z.object({ a: z.record(z.string().regex(FOUR_WAYS), z.number()) }),
    value: { a: { ['1'.repeat(16)]: 1 } },
    isEndless: true,
  },
  ...Object.fromEntries(
    Object.entries({
      email: z.email(),
      url: z.url(),
      base64: z.base64(),
      jwt: z.jwt(),
      regex: z.string().regex(/^(?:a|b|a.)+$/),
    }).map(([name, a]) => [
      `zod: ${name}, a megabyte`,
      { params: () => z.object({ a }), value: { a: 'a.'.repeat(500_000) } },
    ]),
  ),
  'zod: a record with a pattern of keys, a key of a megabyte': {
    params: () => z.object({ a: z.record(z.string().regex(/^(?:a|b|a.)+$/), z.number()) }),
    value: { a: { ['a.'.repeat(500_000)]: 1 } },
  },
  'zod: unions in unions, 14 levels': {
    params: () => z.object({ a: times(14, () => 0).reduce<z.ZodType>((inner) => z.union([inner, inner]), z.number()) }),
    value: { a: 'x' },
  },
  'zod: 500 alternatives for each of 3,000 items': {
    params: () => z.object({ a: z.array(z.union(times(500, (n) => z.object({ id: z.literal(-n - 1) })))) }),
    value: { a: times(3_000, point) },
  },
  'zod: an enum of 3,000 texts, 11,000 items': {
    params: () => z.object({ a: z.array(z.enum(times(3_000, (n) => `w${String(n)}`))) }),
    value: { a: times(11_000, (n) => `x${String(n)}`) },
  },
  'zod: a loop up to a number': {
    params: () => z.object({ a: z.number().refine((most) => sumTo(most) > 0) }),
    value: { a: 1e15 },
    isEndless: true,
  },
  'valibot: a pattern with 4 ways for each of 16 characters': {
    params: () => toStandardJsonSchema(v.object({ a: v.pipe(v.string(), v.regex(FOUR_WAYS)) })),
    value: { a: '1'.repeat(16) },
    isEndless: true,
  },
  'arktype: a pattern with 4 ways for each of 16 characters': {
    params: () => arktype({ a: FOUR_WAYS }),
    value: { a: '1'.repeat(16) },
    isEndless: true,
  },
};

function sumTo(most: number): number {
  let sum = 0;
  for (let number = 0; number < most; number++) sum += number;
  return sum;
}

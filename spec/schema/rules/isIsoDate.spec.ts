import { isISO8601 } from 'class-validator';
import fc from 'fast-check';
import { isIsoDate } from '../../../src/schema/rules/isIsoDate';

const digits = (length: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[0-9]{${String(length)}}$`));
const maybe = (...parts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom('', ...parts);

/** Texts that are dates, or nearly. Reading years below 1000, the library depends on the time zone of the host. */
const almostDates = fc
  .tuple(
    maybe('+', '-', ' '),
    fc.constantFrom('1', '2', '9'),
    digits(3),
    maybe('-', '/'),
    fc.oneof(
      fc.constantFrom('02', '12', '13', '00', '2'),
      fc.constantFrom('W01', 'W53', 'W54', 'W05-7', 'W057', 'W05-8'),
      fc.constantFrom('001', '060', '365', '366', '367', '000'),
    ),
    maybe('-01', '-29', '-30', '-31', '28', '32', '-'),
    maybe('T', ' ', '\t', 't'),
    maybe('23', '24', '2400', '24:00', '12:30', '1230', '12:60', '12.5', '12:30,5'),
    maybe(':59', '59', ':60', ':59.25', '59,1', ':5'),
    maybe('Z', 'z', '+02', '+02:00', '-0200', '+02:', '+24:00', '\n'),
  )
  .map((parts) => parts.join(''));

test('a date is ISO 8601 exactly if the strict rule of class-validator accepts it', () => {
  let accepted = 0;
  fc.assert(
    fc.property(almostDates, (text) => {
      const isAccepted = isISO8601(text, { strict: true });
      accepted += Number(isAccepted);
      expect(isIsoDate(text)).toBe(isAccepted);
    }),
    { numRuns: 20_000 },
  );
  expect(accepted).toBeGreaterThan(100);
});

test.each([
  '2024-02-29',
  '2023-02-29',
  '1900-366',
  '2000-366',
  '2024-366T10',
  '+2020-366',
  '0099-02-03',
  '200912-01',
  '200912',
  '20091231',
  '2009-1231',
  '2009-12T12:34',
  '2009-W01-1T12:34:56.7Z',
  '2010-02-18T16:23:48,444',
  '2010-02-18T16:23.33+0600',
  '2010-02-18T16.23334444',
  '2009-05-19T14a39r',
  '',
])('class-validator and isIsoDate agree on %j', (text) => {
  expect(isIsoDate(text)).toBe(isISO8601(text, { strict: true }));
});

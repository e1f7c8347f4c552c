import fc from 'fast-check';
import {
  formatChangePlace,
  formatEntryPlace,
  formatFieldPlace,
  formatQuestionPlace,
} from '../../src/runs/sql/formatPlaces';

/** Ids that look like places of others. */
const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 4 }),
  fc
    .array(fc.constantFrom('"', 'a', ' ', 'null', '\\', '/', 'run', 'session', 'change', '1'), {
      minLength: 1,
      maxLength: 6,
    })
    .map((parts) => parts.join('')),
);
const tenant = fc.option(name);

test('the texts of two tenants or conversations never have one place', () => {
  fc.assert(
    fc.property(tenant, name, tenant, name, (one, first, other, second) => {
      const isSame = one === other && first === second;
      expect(formatEntryPlace(one, first, 2) === formatEntryPlace(other, second, 2)).toBe(isSame);
      expect(formatQuestionPlace(one, first, 'q') === formatQuestionPlace(other, second, 'q')).toBe(isSame);
      expect(formatFieldPlace(one, first, 'input') === formatFieldPlace(other, second, 'input')).toBe(isSame);
      expect(formatChangePlace(one, first, 2) === formatChangePlace(other, second, 2)).toBe(isSame);
      expect(formatChangePlace(one, first, 2)).not.toBe(formatChangePlace(one, first, 3));
    }),
    {
      numRuns: 2_000,
      examples: [
        ['a', 'c', null, '"a" c'],
        [null, 'null "a" c', null, '"a" c'],
        ['a', 'c', null, 'null "a" c'],
      ],
    },
  );
});

test('a change of a shared session has the place of no entry and no field', () => {
  fc.assert(
    fc.property(tenant, name, tenant, name, (one, session, other, id) => {
      for (const written of [id, `session ${session}`, `session ${session}/change 1`]) {
        expect(formatChangePlace(one, session, 1)).not.toBe(formatEntryPlace(other, written, 1));
        expect(formatChangePlace(one, session, 1)).not.toBe(formatFieldPlace(other, written, 'input'));
      }
    }),
    { numRuns: 1_000 },
  );
});

test('the place of a plain name is the name', () => {
  expect(formatEntryPlace(null, 'c-17', 4)).toBe('c-17/4');
  expect(formatChangePlace(null, 'cart-17', 4)).toBe('session cart-17/change 4');
});

import fc from 'fast-check';
import { changePlace, entryPlace, fieldPlace, questionPlace } from '../../src/runs/sql/places';

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
      expect(entryPlace(one, first, 2) === entryPlace(other, second, 2)).toBe(isSame);
      expect(questionPlace(one, first, 'q') === questionPlace(other, second, 'q')).toBe(isSame);
      expect(fieldPlace(one, first, 'input') === fieldPlace(other, second, 'input')).toBe(isSame);
      expect(changePlace(one, first, 2) === changePlace(other, second, 2)).toBe(isSame);
      expect(changePlace(one, first, 2)).not.toBe(changePlace(one, first, 3));
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
        expect(changePlace(one, session, 1)).not.toBe(entryPlace(other, written, 1));
        expect(changePlace(one, session, 1)).not.toBe(fieldPlace(other, written, 'input'));
      }
    }),
    { numRuns: 1_000 },
  );
});

test('the place of a plain name is the name', () => {
  expect(entryPlace(null, 'c-17', 4)).toBe('c-17/4');
  expect(changePlace(null, 'cart-17', 4)).toBe('session cart-17/change 4');
});

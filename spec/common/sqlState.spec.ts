import { causesOf, isConflict, isRefused } from '../../src/common/sqlState.js';

const coded = (code: unknown, more: object = {}): Error => Object.assign(new Error('no'), { code, ...more });
const wrapped = (cause: unknown): Error => new Error('Failed query', { cause });

test.each([
  ['a unique violation', coded('23505'), true, false],
  ['one that a library wraps twice', wrapped(wrapped(coded('23503'))), true, false],
  ['a serialization failure', wrapped(coded('40001')), true, true],
  ['a deadlock', coded('40P01'), true, true],
  ['a write conflict of Prisma', coded('P2034'), true, true],
  ['a deadlock of MySQL', coded('ER_LOCK_DEADLOCK', { sqlState: '40001' }), true, true],
  ['a connection that the database ends', coded('57P01'), false, false],
  ['one that is lost', coded('08006'), false, false],
  ['one that Prisma has lost', coded('P1017'), false, false],
  ['one that Node has lost', coded('EPIPE'), false, false],
  ['one that Node has lost, with a longer code', coded('ECONNRESET'), false, false],
  ['a number', coded(23505), false, false],
  ['an error without a code', new Error('no'), false, false],
  ['a text', '23505', false, false],
  ['nothing', undefined, false, false],
])('the state of an SQL error is recognised: %s', (_what, error, refused, conflict) => {
  expect([isRefused(error), isConflict(error)]).toEqual([refused, conflict]);
});

test('an error that causes itself ends the search', () => {
  const error = new Error('no');
  error.cause = error;
  expect(causesOf(error)).toHaveLength(8);
  expect(isRefused(error)).toBe(false);
});

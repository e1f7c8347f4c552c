import { defineTool, type ToolOutcome } from 'toolwright';
import { jsonSchema } from '@toolwright/json-schema';
import { z } from 'zod';
import type { ParseOutcome } from '../../../src/metadata/ClassShape';
import { tooSlow } from '../../../src/schema/pattern/checkInTime';
import { readForeignSchema, type ForeignParams } from '../../../src/schema/standard/readForeignSchema';
import type { StandardSchema } from '../../../src/interface/StandardSchema';
import { deskOf } from '../../dispatch/desk';
import { HELD_MS, leastPause } from '../../support/hostPause';
import { measureAround } from '../../support/attacks/around';
import { hostileClasses } from '../../support/attacks/hostileClasses';
import { hostileJsonSchemas } from '../../../packages/mcp/spec/support/hostileJsonSchemas';
import { hostileLibraries } from '../../support/attacks/hostileLibraries';
import { FOUR_WAYS, THREE_WAYS } from '../../support/attacks/hostileValue';

measureAround();

function read(params: StandardSchema): ForeignParams {
  const found = readForeignSchema(params);
  if ('code' in found) throw new TypeError(found.problem);
  return found;
}

/** The outcome of a check that holds the host for no longer than anything may. */
async function checkedAtOnce({ parse }: ForeignParams, value: unknown): Promise<ParseOutcome> {
  let outcome: ParseOutcome | undefined;
  expect(await leastPause(() => (outcome = parse(value)))).toBeLessThan(HELD_MS);
  if (outcome === undefined) throw new TypeError('nothing was checked');
  return outcome;
}

const hostileValues = { ...hostileLibraries, ...hostileClasses, ...hostileJsonSchemas };

describe('values that take long to check', () => {
  test.each(Object.entries(hostileValues))(
    'HOST-18a a value that takes long to check does not hold the process: %s',
    async (_name, { params, value, isEndless }) => {
      const outcome = await checkedAtOnce(read(params()), value);
      if (isEndless === true) expect(outcome).toEqual({ ok: false, issues: [tooSlow] });
      else if (!outcome.ok) expect(outcome.issues[0]?.message).toMatch(/\w/);
    },
  );

  test.each([1, 2, 3, 5, 8, 12, 15, 16, 17, 24, 40, 1_000])(
    'HOST-18b a text of %p characters for a pattern of another library is judged, or refused in time',
    async (length) => {
      const params = read(z.object({ a: z.string().regex(THREE_WAYS) }));
      const outcome = await checkedAtOnce(params, { a: '1'.repeat(length) });
      expect(outcome.ok).toBe(false);
      expect(await checkedAtOnce(params, { a: `${'x'.repeat(length)}@` })).toMatchObject({ ok: true });
    },
  );

  test('HOST-18c a schema that says everything accepts a valid value that is too large to go unwatched', async () => {
    const items = Array.from({ length: 2_000 }, (_none, id) => ({ id, name: 'n' }));
    const item = { type: 'object', properties: { id: { type: 'integer' }, name: { enum: ['n', 'm'] } } };
    const params = jsonSchema({ type: 'object', properties: { items: { type: 'array', items: item } } });
    expect(await checkedAtOnce(read(params), { items })).toEqual({ ok: true, value: { items } });
    const wrong = { items: [...items, { id: 1, name: 'x' }] };
    expect(await checkedAtOnce(read(params), wrong)).toMatchObject({ issues: [{ path: 'items[2000].name' }] });
  });

  test.each([true, false])(
    'HOST-18d thirty calls of one turn, each with a pattern that backtracks, leave turns to others: read-only %p',
    async (readOnly) => {
      const params = z.object({ a: z.string().regex(FOUR_WAYS) });
      const tool = defineTool({ name: 'go', description: 'T.', params, hints: { readOnly }, handler: () => null });
      const { app, rendered, session } = await deskOf([tool]);
      const args = JSON.stringify({ a: '1'.repeat(16) });
      const calls = Array.from({ length: 30 }, (_none, n) => ({ id: `c${String(n)}`, name: 'go', arguments: args }));
      let outcomes: readonly ToolOutcome[] = [];
      const pause = await leastPause(async () => (outcomes = await app.callTools(rendered, calls, { session })));
      expect(pause).toBeLessThan(HELD_MS);
      expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['rejected']));
    },
  );
});

import type { OpenQuestion, Runs } from '@toolwright/durable';
import { Approvals } from '../src/chats/Approvals';

/** Runs of which each waits with one question. */
function waitingRuns(count: number): Runs {
  const ids = Array.from({ length: count }, (_none, index) => ({ id: `r${String(index + 1)}`, order: index + 1 }));
  const runs = {
    list: ({ after, limit }: { readonly after: number; readonly limit: number }) =>
      Promise.resolve(ids.filter(({ order }) => order > after).slice(0, limit)),
    questions: ({ run }: { readonly run: string }) =>
      Promise.resolve([{ id: `q-${run}`, run, name: 'refund', about: 'approval', askedAt: 1 }]),
    preview: () => Promise.resolve({ arguments: {}, rehearsal: undefined, problem: undefined, seen: undefined }),
  };
  return runs as unknown as Runs;
}

test.each([1, 100, 101, 250])(
  'of %i questions, the last one is found if it is the only one for a person',
  async (count) => {
    const mayAnswer = ({ run }: OpenQuestion): Promise<boolean> => Promise.resolve(run === `r${String(count)}`);
    const approvals = new Approvals(waitingRuns(count), { id: 'ann' }, mayAnswer);
    expect((await approvals.list({})).map(({ question }) => question)).toEqual([`q-r${String(count)}`]);
  },
);

test('a list ends at its limit', async () => {
  const approvals = new Approvals(waitingRuns(250), { id: 'ann' }, () => Promise.resolve(true));
  expect(await approvals.list({ limit: 3 })).toHaveLength(3);
});

import { Conversation } from 'toolwright/conversations';
import { FakeClock } from 'toolwright/testing';
import type { RunRecord } from '../../src/records/RunRecords.js';
import { closeRun } from '../../src/runs/closeRun';
import { call, deskOf, freshSession, user } from '../../../../spec/evaluate/conversation/desk';
import { logOf, MemoryRuns } from '../../../../spec/support/reopened';

test('a run that is ended while another process may be in its call says that its effect is not known', async () => {
  const conversation = new Conversation({ id: 'c-1' });
  const { run } = await deskOf();
  const options = { conversation, session: freshSession(), messages: user('First.'), runId: 'r-1' };
  await run([{ toolCalls: [call('keep')] }, { text: 'Done.' }], options);
  const answered = logOf(conversation).findIndex(({ kind }) => kind === 'answer') + 1;
  const store = new MemoryRuns(logOf(conversation).slice(0, answered));
  const record = { id: 'r-1', conversation: 'c-1' } as RunRecord;
  await closeRun(store, new FakeClock(), record, 'abandoned', 'it was cancelled');
  const end = store.written.at(-1);
  expect(end).toMatchObject({ kind: 'end', how: 'abandoned' });
  expect(end?.kind === 'end' ? end.messages[0]?.content : '').toContain('It is not known whether it had an effect');
});

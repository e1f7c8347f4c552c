import { ConversationPrefix } from '../../../../src/evaluate/conversation/prefix/ConversationPrefix';
import { foldEntries } from '../../../../src/evaluate/conversation/log/foldEntries';

/** Messages that count how often they are written as JSON. */
function createCountingMessages() {
  let written = 0;
  const message = (content: string) => ({ toJSON: () => ((written += 1), { role: 'user', content }) });
  return { message, written: () => written };
}
const sentOf = (messages: readonly object[]) => ({ tools: [], system: [], messages, parameters: {} });
const estimator = (text: string): number => text.length;
const empty = foldEntries([]);

describe('requests that nothing asks about', () => {
  test('requests that nothing asks about are neither written nor hashed', () => {
    const { message, written } = createCountingMessages();
    const prefix = new ConversationPrefix();
    const messages = [message('one')];
    prefix.note(empty, sentOf(messages), estimator);
    messages.push(message('two'));
    prefix.note(empty, sentOf(messages), estimator);
    expect(written()).toBe(0);
  });

  test('requests that nothing asks about can still be compared later, each part written once', () => {
    const { message, written } = createCountingMessages();
    const prefix = new ConversationPrefix();
    const [one, two, three] = [message('one'), message('two'), message('three')];
    const first = prefix.note(empty, sentOf([one]), estimator);
    const second = prefix.note(empty, sentOf([one, two]), estimator);
    const size = Buffer.byteLength(JSON.stringify({ role: 'user', content: 'one' }));
    const before = written();
    expect(second()).toMatchObject({ keptBytes: size, newBytes: size, changedBytes: 0, brokenAt: undefined });
    expect(first()).toMatchObject({ keptBytes: 0, newBytes: size });
    // Those of the first request, and of the second, which did not know then that they would be asked for.
    expect(written() - before).toBeLessThanOrEqual(3);
    const known = written();
    expect(prefix.note(empty, sentOf([one, two, three]), estimator)()).toMatchObject({ keptBytes: 2 * size });
    expect(prefix.digest(empty)).toMatchObject({ count: 3 });
    expect(written() - known).toBeLessThanOrEqual(1);
  });

  test('requests that nothing asks about are compared as they were sent, though their adapter goes on with its list', () => {
    const prefix = new ConversationPrefix();
    const messages: object[] = [{ content: 'one' }];
    prefix.note(empty, sentOf(messages), estimator);
    messages[0] = { content: 'other' };
    expect(prefix.note(empty, sentOf(messages), estimator)().brokenAt).toBe('messages[0]');
  });
});

test('digests go to the last answer of a copy, and to none after the model has changed', () => {
  const prefix = new ConversationPrefix();
  const head = { kind: 'conversation', version: 1, id: 'c', prompt: 'a/b', text: '', offered: [], closed: [] } as const;
  const begun = { ...head, fingerprint: '', sections: {} } as const;
  const model = { kind: 'model', adapter: 'one', means: null } as const;
  const run = { kind: 'run', run: 'r', messages: [] } as const;
  const answer = { kind: 'answer', turn: 1, text: 'Yes.', toolCalls: [], finishReason: 'stop' } as const;
  const entries = [begun, model, run, answer];
  const state = foldEntries(entries);
  prefix.note(state, sentOf([{ content: 'one' }]), estimator);
  const sentIn = (list: readonly object[]) => list.flatMap((entry) => ('sent' in entry ? [entry.sent] : []));
  expect(sentIn(prefix.entriesToCopy(entries))).toMatchObject([{ count: 1 }]);
  expect(sentIn(entries)).toEqual([]);
  const other = { ...model, adapter: 'two' };
  const later = [begun, model, run, answer, other];
  expect(sentIn(prefix.entriesToCopy(later))).toEqual([]);
});

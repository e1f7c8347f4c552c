import { ConversationPrefix } from '../../../../src/evaluate/conversation/prefix/ConversationPrefix';
import { foldEntries } from '../../../../src/evaluate/conversation/log/foldEntries';
import { PrefixLedger } from '../../../../src/evaluate/conversation/prefix/PrefixLedger';

/** Messages that count how often they are written as JSON. */
function createCountingMessages() {
  let written = 0;
  const message = (content: string) => ({ toJSON: () => ((written += 1), { role: 'user', content }) });
  return { message, written: () => written };
}
const sentOf = (messages: readonly object[]) => ({ tools: [], system: [], messages, parameters: {} });
const estimator = (text: string): number => text.length;

describe('requests that nothing asks about', () => {
  test('requests that nothing asks about are neither written nor hashed', () => {
    const { message, written } = createCountingMessages();
    const ledger = new PrefixLedger();
    const messages = [message('one')];
    ledger.note(sentOf(messages), estimator, undefined);
    messages.push(message('two'));
    ledger.note(sentOf(messages), estimator, undefined);
    expect(written()).toBe(0);
  });

  test('requests that nothing asks about can still be compared later, each part written once', () => {
    const { message, written } = createCountingMessages();
    const ledger = new PrefixLedger();
    const [one, two, three] = [message('one'), message('two'), message('three')];
    const first = ledger.note(sentOf([one]), estimator, undefined);
    const second = ledger.note(sentOf([one, two]), estimator, undefined);
    const size = Buffer.byteLength(JSON.stringify({ role: 'user', content: 'one' }));
    const before = written();
    expect(second()).toMatchObject({ keptBytes: size, newBytes: size, changedBytes: 0, brokenAt: undefined });
    expect(first()).toMatchObject({ keptBytes: 0, newBytes: size });
    // Those of the first request, and of the second, which did not know then that they would be asked for.
    expect(written() - before).toBeLessThanOrEqual(3);
    const known = written();
    expect(ledger.note(sentOf([one, two, three]), estimator, undefined)()).toMatchObject({ keptBytes: 2 * size });
    expect(ledger.digestSince(undefined)).toMatchObject({ count: 3 });
    expect(written() - known).toBeLessThanOrEqual(1);
  });

  test('requests that nothing asks about are compared as they were sent, though their adapter goes on with its list', () => {
    const ledger = new PrefixLedger();
    const messages: object[] = [{ content: 'one' }];
    ledger.note(sentOf(messages), estimator, undefined);
    messages[0] = { content: 'other' };
    expect(ledger.note(sentOf(messages), estimator, undefined)().brokenAt).toBe('messages[0]');
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

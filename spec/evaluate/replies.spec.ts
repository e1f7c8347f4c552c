import { createReply } from '../../src/evaluate/conversation/questions';
import type { RunEntry } from 'toolwright/conversations';

const about = { call: '1.0', name: 'ship', arguments: {}, askedAt: 0 };
const asked = (kind: 'approval' | 'unknown'): RunEntry => ({ kind: 'question', id: 'q', about: kind, ...about });
const answer = (reply: unknown, kind: 'approval' | 'unknown' = 'approval') =>
  createReply([asked(kind)], 'c', 'q', reply as never);

test('the texts of a reply have at most 100,000 characters together (E735)', () => {
  const long = 'x'.repeat(100_000);
  expect(answer({ kind: 'denied', reason: long })).toMatchObject({ kind: 'reply' });
  expect(answer({ kind: 'outcome', text: long }, 'unknown')).toMatchObject({ kind: 'reply' });
  for (const reply of [
    { kind: 'denied', reason: long, by: 'a' },
    { kind: 'denied', reason: `${long}a` },
    { kind: 'approved', by: 'a', seen: long },
  ])
    expect(() => answer(reply)).toThrow(/expected texts of at most 100000 characters together, got 100001/);
  expect(() => answer({ kind: 'repeat', by: `${long}a` }, 'unknown')).toThrow(/100001/);
});

test('a reply has no other fields than its kind takes: a misspelt one would have no effect (E735)', () => {
  expect(() => answer({ kind: 'approved', sean: 'x' })).toThrow(/there is no field "sean"\. Did you mean "seen"/);
  expect(() => answer({ kind: 'approved', reason: 'x' })).toThrow(/there is no field "reason"/);
  expect(() => answer({ kind: 'denied', reason: 'x', extra: {} })).toThrow(/there is no field "extra"/);
});

test('the error about a question that was never asked cuts its id (E709)', () => {
  const act = () =>
    createReply([asked('approval')], 'c'.repeat(1_000_000), 'q'.repeat(1_000_000), { kind: 'approved' });
  expect(act).toThrow(/never asked a question "q{80}… \(1000000 characters\)"/);
  expect(act).toThrow(/^.{1,600}$/s);
});

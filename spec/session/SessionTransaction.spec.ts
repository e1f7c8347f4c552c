import { ReadOnlyViolationError, Session, TransactionClosedError } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { SessionTransaction, type TransactionBase } from '../../src/session/SessionTransaction';

class Note {
  constructor(readonly text: string) {}
}
class Shout {
  constructor(readonly text: string) {}
}
const begin = (base: TransactionBase, readOnly = false): SessionTransaction => {
  let ids = 0;
  return new SessionTransaction(base, {
    readOnly,
    clock: new FakeClock('2030-01-01T00:00:00Z'),
    ids: () => `id${++ids}`,
  });
};
const started = (...notes: readonly string[]): { readonly session: Session; readonly call: SessionTransaction } => {
  const session = new Session();
  for (const text of notes) session.dispatch(new Note(text));
  return { session, call: begin(session.base) };
};
const texts = (port: Pick<Session, 'slice'> | SessionTransaction): string =>
  port
    .slice(Note)
    .all()
    .map(({ text }) => text)
    .join();

describe('an overlay', () => {
  test('an overlay reads the base and its own writes; the base sees nothing until the commit', () => {
    const { session, call } = started('a');
    call.dispatch(new Note('b'));
    call.slice(Note).append(new Note('c'));
    expect(texts(call)).toBe('a,b,c');
    expect(call.slice(Note).latest()?.text).toBe('c');
    expect(texts(session)).toBe('a');
    expect(call.commit()).toBe(true);
    expect(texts(session)).toBe('a,b,c');
  });

  test('an overlay that is closed without commit leaves nothing', () => {
    const { session, call } = started('a');
    call.slice(Note).seed([new Note('z')]);
    call.dispatch(new Note('b'));
    call.close();
    expect(texts(session)).toBe('a');
  });

  test('an overlay has the id of its session', () => {
    const { session, call } = started();
    expect(call.id).toBe(session.id);
  });

  test.each<[string, (call: SessionTransaction) => void, string]>([
    ['seed', (call) => call.slice(Note).seed(new Note('z')), 'z'],
    ['clear', (call) => call.slice(Note).clear(), ''],
    ['clear with a predicate', (call) => call.slice(Note).clear(({ text }) => text === 'a'), 'b'],
  ])('an overlay of the session keeps the changes of %s', (_what, act, expected) => {
    const { session, call } = started('a', 'b');
    act(call);
    expect(texts(call)).toBe(expected);
    expect(texts(session)).toBe('a,b');
    call.commit();
    expect(texts(session)).toBe(expected);
  });

  test('an overlay runs the reducers of the session with the time and the ids of the call', () => {
    const { session, call } = started();
    const seen: unknown[] = [];
    session.slice(Note).register(Shout, (_view, { text }, { time, id }) => {
      seen.push(time, id, id);
      return { kind: 'append', value: new Note(text.toUpperCase()) };
    });
    call.dispatch(new Shout('hey'));
    expect(texts(call)).toBe('HEY');
    expect(seen).toEqual([Date.parse('2030-01-01T00:00:00Z'), 'id1', 'id1']);
  });

  test('an overlay throws what a reducer throws', () => {
    const { session, call } = started();
    session.slice(Note).register(Shout, () => {
      throw new RangeError('too loud');
    });
    expect(() => call.dispatch(new Shout('hey'))).toThrow(RangeError);
  });
});

describe('an end', () => {
  test.each<[string, (call: SessionTransaction) => void]>([
    ['commit', (call) => void call.commit()],
    ['close', (call) => call.close()],
  ])('an end by %s refuses every later use', (_how, end) => {
    const { session, call } = started('a');
    const slice = call.slice(Note);
    end(call);
    const uses: (() => unknown)[] = [
      () => call.slice(Note),
      () => call.dispatch(new Note('b')),
      () => slice.latest(),
      () => slice.all(),
      () => slice.where(() => true),
      () => slice.seed(new Note('b')),
      () => slice.clear(),
      () => slice.append(new Note('b')),
      () => call.commit(),
    ];
    for (const use of uses) expect(use).toThrow(TransactionClosedError);
    expect(texts(session)).toBe('a');
  });
});

describe('a read-only overlay', () => {
  test('a read-only overlay reads, and refuses every write to state with E607', () => {
    const { session } = started('a');
    const call = begin(session.base, true);
    expect(texts(call)).toBe('a');
    const writes: (() => unknown)[] = [
      () => call.dispatch(new Note('b')),
      () => call.slice(Note).seed(new Note('b')),
      () => call.slice(Note).clear(),
      () => call.slice(Note).append(new Note('b')),
    ];
    for (const write of writes) {
      expect(write).toThrow(ReadOnlyViolationError);
      expect(write).toThrow(/Note/);
    }
    expect(texts(session)).toBe('a');
  });
});

describe('a LOG slice', () => {
  const logged = (): { readonly session: Session; readonly call: SessionTransaction } => {
    const { session, call } = started('a');
    session.slice(Shout).register(Shout, (_view, event) => ({ kind: 'append', value: event }), { policy: 'log' });
    return { session, call };
  };

  test('a LOG slice is written at once, and survives the rollback', () => {
    const { session, call } = logged();
    call.dispatch(new Shout('hey'));
    expect(session.slice(Shout).all()).toHaveLength(1);
    call.close();
    expect(session.slice(Shout).latest()?.text).toBe('hey');
  });

  test('a LOG slice survives the rollback of a savepoint, too', () => {
    const { session, call } = logged();
    const nested = begin(call);
    nested.dispatch(new Shout('hey'));
    nested.close();
    call.close();
    expect(session.slice(Shout).all()).toHaveLength(1);
  });

  test('a LOG slice is not isolated: a read of it is never a conflict', () => {
    const { session, call } = logged();
    expect(call.slice(Shout).all()).toEqual([]);
    session.dispatch(new Shout('outside'));
    expect(call.conflicts()).toBe(false);
    expect(call.commit()).toBe(true);
  });

  test('a LOG slice is written once, also when the call is replayed', () => {
    const { session, call } = logged();
    session.slice(Note).register(Shout, (_view, { text }) => ({ kind: 'append', value: new Note(text) }));
    call.dispatch(new Shout('hey'));
    session.dispatch(new Note('outside'));
    expect(call.commit()).toBe(true);
    expect(texts(session)).toBe('a,outside,hey');
    expect(session.slice(Shout).all()).toHaveLength(1);
  });
});

describe('a change from outside', () => {
  test.each<[string, (call: SessionTransaction) => unknown]>([
    ['latest', (call) => call.slice(Note).latest()],
    ['all', (call) => call.slice(Note).all()],
    ['where', (call) => call.slice(Note).where(() => false)],
    ['clear with a predicate', (call) => call.slice(Note).clear(() => false)],
  ])('a change from outside of a slice that was read by %s is a conflict', (_how, read) => {
    const { session, call } = started('a');
    read(call);
    session.dispatch(new Note('outside'));
    expect(call.conflicts()).toBe(true);
    expect(call.commit()).toBe(false);
    expect(texts(session)).toBe('a,outside');
  });

  test('a change from outside of a slice that a reducer of the call read is a conflict', () => {
    const { session, call } = started('a');
    session.slice(Note).register(Shout, (view, { text }) => ({
      kind: 'append',
      value: new Note(`${text}${view.all().length}`),
    }));
    call.dispatch(new Shout('n'));
    session.dispatch(new Note('outside'));
    expect(call.commit()).toBe(false);
  });

  test('a change from outside of a slice whose reducer threw is a conflict', () => {
    const { session, call } = started('a');
    session.slice(Note).register(Shout, () => {
      throw new Error('no');
    });
    expect(() => call.dispatch(new Shout('n'))).toThrow('no');
    session.dispatch(new Note('outside'));
    expect(call.conflicts()).toBe(true);
  });

  test('a change from outside of a slice that was only written is a conflict for a failed call', () => {
    const { session, call } = started('a');
    call.dispatch(new Note('b'));
    session.dispatch(new Note('outside'));
    expect(call.conflicts()).toBe(false);
    expect(call.conflicts(true)).toBe(true);
  });

  test('a change from outside of a slice that was only appended to replays the append, with the same time and id', () => {
    const { session, call } = started('a');
    const contexts: unknown[] = [];
    session.slice(Note).register(Shout, (_view, { text }, { time, id }) => {
      contexts.push(`${time} ${id}`);
      return { kind: 'append', value: new Note(text) };
    });
    call.dispatch(new Shout('b'));
    call.dispatch(new Note('c'));
    session.dispatch(new Note('outside'));
    expect(call.commit()).toBe(true);
    expect(texts(session)).toBe('a,outside,b,c');
    expect(contexts).toHaveLength(2);
    expect(contexts[0]).toBe(contexts[1]);
  });

  test('a change from outside of a slice that was replaced unread: the replacement is kept', () => {
    const { session, call } = started('a');
    call.slice(Note).seed(new Note('z'));
    session.dispatch(new Note('outside'));
    expect(call.commit()).toBe(true);
    expect(texts(session)).toBe('z');
  });

  test('a change from outside that makes the replay throw is a conflict', () => {
    const { session, call } = started('a');
    let runs = 0;
    session.slice(Note).register(Shout, (_view, { text }) => {
      if (++runs === 2) throw new Error('not twice');
      return { kind: 'append', value: new Note(text) };
    });
    call.dispatch(new Shout('b'));
    session.dispatch(new Note('outside'));
    expect(call.commit()).toBe(false);
    expect(texts(session)).toBe('a,outside');
  });

  test('a change from outside of another slice is no conflict', () => {
    const { session, call } = started('a');
    texts(call);
    session.dispatch(new Shout('elsewhere'));
    expect(call.commit()).toBe(true);
  });
});

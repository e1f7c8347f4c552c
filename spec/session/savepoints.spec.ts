import { Session, SliceOps, TransactionClosedError } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { SessionTransaction, type TransactionBase } from '../../src/session/SessionTransaction';

class Note {
  constructor(readonly text: string) {}
}
class Shout {
  constructor(readonly text: string) {}
}
class Log {
  constructor(readonly text: string) {}
}
const begin = (base: TransactionBase): SessionTransaction =>
  new SessionTransaction(base, { readOnly: false, clock: new FakeClock(), ids: () => 'id' });
const texts = (port: Pick<Session, 'slice'> | SessionTransaction): string =>
  port
    .slice(Note)
    .all()
    .map(({ text }) => text)
    .join();
const ended = new TransactionClosedError('session of a tool call');

/** A session with a note, a call on it, and the texts of the events that its reducers got. */
function started() {
  const session = new Session();
  const reduced: string[] = [];
  session.slice(Note).register(Shout, (_view, { text }) => {
    reduced.push(text);
    return SliceOps.append(new Note(text));
  });
  session.slice(Log).register(
    Log,
    (_view, event) => {
      reduced.push(event.text);
      return SliceOps.append(event);
    },
    { policy: 'log' },
  );
  session.dispatch(new Note('a'));
  return { session, call: begin(session.base), reduced };
}

describe('a commit', () => {
  test('a commit runs no reducer again where nothing has changed from outside', () => {
    const { session, call, reduced } = started();
    call.dispatch(new Shout('b'));
    expect(call.commit()).toBe(true);
    const logging = begin(session.base);
    logging.dispatch(new Log('c'));
    expect(logging.commit()).toBe(true);
    expect(reduced).toEqual(['b', 'c']);
    expect(texts(session)).toBe('a,b');
    expect(session.slice(Log).all()).toEqual([new Log('c')]);
  });

  test('a commit is no conflict where the call read only what it had put there itself', () => {
    const { session, call } = started();
    call.slice(Note).seed(new Note('z'));
    expect(texts(call)).toBe('z');
    session.dispatch(new Note('outside'));
    expect(call.commit()).toBe(true);
    expect(texts(session)).toBe('z');
  });

  test('a commit cannot be prepared where its reducers throw on what has changed', () => {
    const { session, call, reduced } = started();
    session.slice(Note).register(Shout, () => {
      if (reduced.length > 1) throw new Error('not twice');
      return SliceOps.clear();
    });
    call.dispatch(new Shout('b'));
    session.dispatch(new Note('outside'));
    expect(call.prepare()).toBe(false);
  });

  test('a commit ends the call, also where it repeats what the call did', () => {
    const { session, call, reduced } = started();
    call.dispatch(new Shout('b'));
    session.dispatch(new Note('outside'));
    expect(call.commit()).toBe(true);
    expect(reduced).toEqual(['b', 'b']);
    expect(() => call.dispatch(new Shout('late'))).toThrow(ended);
    expect(() => texts(call)).toThrow(ended);
    expect(reduced).toEqual(['b', 'b']);
    expect(texts(session)).toBe('a,outside,b');
  });

  test('a commit changes the version that the call shows', () => {
    const { session, call } = started();
    const savepoint = begin(call);
    expect([session.version, call.version, savepoint.version]).toEqual([1, 1, 1]);
    call.dispatch(new Note('b'));
    expect([session.version, call.version, savepoint.version]).toEqual([1, 1, 1]);
    call.commit();
    expect([session.version, call.version, savepoint.version]).toEqual([2, 2, 2]);
  });
});

describe('a savepoint', () => {
  test('a savepoint that was committed is repeated with its call', () => {
    const { session, call } = started();
    const savepoint = begin(call);
    savepoint.dispatch(new Shout('b'));
    savepoint.slice(Note).append(new Note('c'));
    expect(savepoint.commit()).toBe(true);
    session.dispatch(new Note('outside'));
    expect(call.commit()).toBe(true);
    expect(texts(session)).toBe('a,outside,b,c');
  });

  test('a savepoint that was repeated on its call is repeated with it once more', () => {
    const { session, call } = started();
    const savepoint = begin(call);
    savepoint.dispatch(new Shout('b'));
    call.dispatch(new Shout('c'));
    expect(savepoint.commit()).toBe(true);
    expect(texts(session)).toBe('a');
    session.dispatch(new Note('outside'));
    expect(call.commit()).toBe(true);
    expect(texts(session)).toBe('a,outside,c,b');
  });

  test.each<[string, (call: SessionTransaction) => unknown]>([
    ['committed', (call) => call.commit()],
    ['rolled back', (call) => call.close()],
  ])('a savepoint of a call that was %s can neither be written nor committed', (_how, end) => {
    const { session, call } = started();
    const savepoint = begin(call);
    savepoint.dispatch(new Note('b'));
    const unused = begin(call);
    end(call);
    expect(() => unused.dispatch(new Note('c'))).toThrow(ended);
    expect(() => savepoint.commit()).toThrow(ended);
    expect(texts(session)).toBe('a');
  });
});

test('a call that has ended runs no reducer', () => {
  const { call, reduced } = started();
  call.close();
  expect(() => call.dispatch(new Shout('b'))).toThrow(ended);
  expect(() => call.slice(Shout)).toThrow(ended);
  expect(reduced).toEqual([]);
});

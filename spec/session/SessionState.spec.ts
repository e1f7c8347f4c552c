import { Session } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { SessionTransaction, type TransactionBase } from '../../src/session/SessionTransaction';

class Note {
  constructor(readonly text: string) {}
}
class Line {
  constructor(readonly text: string) {}
}
const begin = (base: TransactionBase): SessionTransaction =>
  new SessionTransaction(base, { readOnly: true, clock: new FakeClock(), ids: () => 'id' });
const started = (): Session => {
  const session = new Session({ slices: [Note, { type: Line, policy: 'log' }] });
  session.dispatch(new Note('a'));
  session.dispatch(new Line('a'));
  return session;
};
const texts = (port: Pick<SessionTransaction, 'slice'>): readonly string[] =>
  [Note, Line].map((type) =>
    port
      .slice<Note | Line>(type)
      .all()
      .map(({ text }) => text)
      .join(),
  );

describe('the state that read-only calls of one turn share', () => {
  test('the state that read-only calls of one turn share is that of one moment, and logs stay live', () => {
    const session = started();
    const call = begin(session.base.createFrozen());
    session.dispatch(new Note('b'));
    session.dispatch(new Line('b'));
    expect(texts(call)).toEqual(['a', 'a,b']);
    expect(texts(begin(session.base.createFrozen()))).toEqual(['a,b', 'a,b']);
  });

  test('the state that read-only calls of one turn share takes their logs at once, for the session and for each other', () => {
    const session = started();
    const base = session.base.createFrozen();
    const [one, other] = [begin(base), begin(base)];
    one.dispatch(new Line('one'));
    other.dispatch(new Line('other'));
    for (const port of [session, one, other]) expect(texts(port)).toEqual(['a', 'a,one,other']);
  });
});

test('the version of a session grows with each write of state, and stays when a log grows', () => {
  const session = started();
  const versions = [session.version];
  const step = (act: () => void): void => {
    act();
    versions.push(session.version);
  };
  step(() => session.dispatch(new Note('b')));
  step(() => session.slice(Note).seed(new Note('c')));
  const state = [...versions];
  step(() => session.dispatch(new Line('b')));
  step(() => session.slice(Line).clear());
  expect(state).toEqual([...new Set(state)].sort((one, other) => one - other));
  expect(versions.slice(state.length)).toEqual([state.at(-1), state.at(-1)]);
});

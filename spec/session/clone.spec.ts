import { type Logger, Session } from 'toolwright';
import type { ReducerContext } from 'toolwright/conversations';
import { FakeClock } from 'toolwright/testing';

class Note {
  constructor(readonly text: string) {}
}
class Shout {
  constructor(readonly text: string) {}
}
const texts = (session: Session): string =>
  session
    .slice(Note)
    .all()
    .map(({ text }) => text)
    .join();
const shouting = (session: Session, seen: ReducerContext[] = []): Session => {
  session.slice(Note).register(Shout, (_view, { text }, context) => {
    seen.push({ ...context });
    return { kind: 'append', value: new Note(text.toUpperCase()) };
  });
  return session;
};

describe('clone', () => {
  test('a clone has the same state, and an id of its own or the given one', () => {
    const session = new Session();
    session.dispatch(new Note('a'));
    const copy = session.clone();
    expect(texts(copy)).toBe('a');
    expect(copy.id).not.toBe(session.id);
    expect(copy.base.id).toBe(copy.id);
    expect(session.clone({ id: 'mine' }).id).toBe('mine');
  });

  test('clone and original do not see later changes of each other', () => {
    const session = new Session();
    session.dispatch(new Note('a'));
    const copy = session.clone();
    session.dispatch(new Note('b'));
    copy.slice(Note).clear();
    copy.dispatch(new Note('c'));
    expect([texts(session), texts(copy)]).toEqual(['a,b', 'c']);
    session.reset();
    expect(texts(copy)).toBe('c');
  });

  test('clone takes over reducers, once each; those that are registered later stay where they are', () => {
    class Add {
      constructor(readonly by: number) {}
    }
    class Total {
      constructor(readonly value = 0) {}
    }
    const session = shouting(new Session({ slices: [{ type: Total, initial: () => new Total() }] }));
    const copy = session.clone();
    copy.dispatch(new Shout('hey'));
    expect(texts(copy)).toBe('HEY');
    const add = (by: number) => (view: { latest(): Total | undefined }) =>
      ({ kind: 'replace', values: [new Total((view.latest()?.value ?? 0) + by)] }) as const;
    session.slice(Total).register(Add, add(1));
    copy.slice(Total).register(Add, add(10));
    copy.slice(Note).register(Shout, () => ({ kind: 'clear', where: undefined }));
    for (const each of [session, copy]) each.dispatch(new Add(1));
    expect([session, copy].map((each) => each.slice(Total).latest()?.value)).toEqual([1, 10]);
    session.dispatch(new Shout('still'));
    expect(texts(session)).toBe('STILL');
  });

  test('clone keeps policies, names, tags, clock and logger', () => {
    const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    const seen: ReducerContext[] = [];
    const session = shouting(
      new Session({ clock, logger, tags: { user: 'u1' }, slices: [{ type: Note, name: 'notes', policy: 'log' }] }),
      seen,
    );
    const copy = session.clone();
    copy.dispatch(new Shout('hey'));
    expect(seen[0]?.time).toBe(Date.parse('2030-01-01T00:00:00Z'));
    expect(copy).toMatchObject({ clock, logger, tags: { user: 'u1' } });
    expect(copy.rules.policyOf(Note)).toBe('log');
    expect(Object.keys(copy.toJSON({ logs: true }).slices)).toEqual(['notes']);
  });

  test('a clone has the same parent as the original, and no children', () => {
    const parent = new Session();
    const session = new Session({ parent });
    const child = new Session({ parent: session });
    const copy = session.clone();
    expect(copy.parent).toBe(parent);
    expect(parent.children).toEqual([session, copy]);
    expect(copy.children).toEqual([]);
    expect(session.children).toEqual([child]);
  });

  test('the clone of a session whose parent is elsewhere keeps the id of that', () => {
    expect(new Session({ parentId: 'far' }).clone()).toMatchObject({ parent: null, parentId: 'far' });
  });
});

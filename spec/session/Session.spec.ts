import { randomUUID } from 'node:crypto';
import { type Logger, Session } from 'toolwright';
import type { ReducerContext } from 'toolwright/conversations';
import { FakeClock } from 'toolwright/testing';

class Note {
  constructor(
    readonly text: string,
    readonly by = 'Ann',
  ) {}
}
const texts = (session: Session): readonly string[] =>
  session
    .slice(Note)
    .all()
    .map(({ text }) => text);
const withNotes = (...notes: readonly string[]): Session => {
  const session = new Session();
  for (const text of notes) session.dispatch(new Note(text));
  return session;
};

describe('a slice', () => {
  test('a slice is empty at first', () => {
    const slice = new Session().slice(Note);
    expect(slice.latest()).toBeUndefined();
    expect(slice.all()).toEqual([]);
    expect(slice.where(() => true)).toEqual([]);
  });

  test('a slice holds the events of its class, oldest first', () => {
    const session = withNotes('a', 'b', 'c');
    expect(texts(session)).toEqual(['a', 'b', 'c']);
    expect(session.slice(Note).latest()?.text).toBe('c');
    expect(
      session
        .slice(Note)
        .where(({ text }) => text !== 'b')
        .map(({ text }) => text),
    ).toEqual(['a', 'c']);
  });

  test('a slice belongs to exactly its class, not to a subclass', () => {
    class LongNote extends Note {}
    const session = withNotes('a');
    session.dispatch(new LongNote('long'));
    expect(texts(session)).toEqual(['a']);
    expect(session.slice(LongNote).all()).toHaveLength(1);
  });

  test('seed replaces everything, with one value or many', () => {
    const session = withNotes('a', 'b');
    session.slice(Note).seed(new Note('c'));
    expect(texts(session)).toEqual(['c']);
    session.slice(Note).seed([new Note('d'), new Note('e')]);
    expect(texts(session)).toEqual(['d', 'e']);
    session.slice(Note).seed([]);
    expect(texts(session)).toEqual([]);
  });

  test('seed goes past the reducers, append does not', () => {
    const session = new Session();
    session.slice(Note).register(Note, (_view, event) => ({
      kind: 'replace',
      values: [new Note(`reduced ${event.text}`)],
    }));
    session.slice(Note).seed([new Note('a'), new Note('b')]);
    expect(texts(session)).toEqual(['a', 'b']);
    session.slice(Note).append(new Note('c'));
    expect(texts(session)).toEqual(['reduced c']);
  });

  test('clear removes what a predicate names, or all', () => {
    const session = withNotes('a', 'b', 'c');
    session.slice(Note).clear(({ text }) => text === 'b');
    expect(texts(session)).toEqual(['a', 'c']);
    session.slice(Note).clear();
    expect(texts(session)).toEqual([]);
  });

  test('a slice returns arrays that cannot be changed', () => {
    const all = withNotes('a').slice(Note).all();
    expect(Object.isFrozen(all)).toBe(true);
  });

  test('the view of a slice shows what is dispatched later', () => {
    const session = new Session();
    const slice = session.slice(Note);
    session.dispatch(new Note('a'));
    expect(slice.latest()?.text).toBe('a');
  });
});

describe('dispatch', () => {
  class Rename {
    constructor(readonly to: string) {}
  }

  test('dispatch runs every reducer of the event, in the order of registration, each on its own slice', () => {
    class Log {
      constructor(readonly line: string) {}
    }
    const session = withNotes('a');
    const order: string[] = [];
    session.slice(Note).register(Rename, (view, { to }) => {
      order.push(`note sees ${view.all().length}`);
      return { kind: 'replace', values: [new Note(to)] };
    });
    session.slice(Log).register(Rename, (view, { to }) => {
      order.push(`log sees ${view.all().length}`);
      return { kind: 'append', value: new Log(`renamed to ${to}`) };
    });
    session.dispatch(new Rename('z'));
    expect(order).toEqual(['note sees 1', 'log sees 0']);
    expect(texts(session)).toEqual(['z']);
    expect(session.slice(Log).latest()?.line).toBe('renamed to z');
    expect(session.slice(Rename).all()).toEqual([]);
  });

  test('dispatch looks at the exact class: a subclass of the event has no reducer', () => {
    class RenameTwice extends Rename {}
    const session = withNotes('a');
    session.slice(Note).register(Rename, (_view, { to }) => ({ kind: 'append', value: new Note(to) }));
    session.dispatch(new RenameTwice('z'));
    expect(texts(session)).toEqual(['a']);
    expect(session.slice(RenameTwice).all()).toHaveLength(1);
  });

  test('dispatch passes reducers the time of the clock and an id, the same to all of one event', () => {
    const seen: ReducerContext[] = [];
    const session = new Session({ clock: new FakeClock('2030-01-01T00:00:00Z') });
    for (const by of ['Ann', 'Bob']) {
      session.slice(Note).register(Rename, (_view, { to }, { time, id }) => {
        seen.push({ time, id });
        return { kind: 'append', value: new Note(to, by) };
      });
    }
    session.dispatch(new Rename('a'));
    session.dispatch(new Rename('b'));
    expect(seen.map(({ time }) => time)).toEqual(Array.from({ length: 4 }, () => Date.parse('2030-01-01T00:00:00Z')));
    expect(seen[0]?.id).toBe(seen[1]?.id);
    expect(seen[0]?.id).not.toBe(seen[2]?.id);
  });

  test('outside a call, a reducer that throws is logged, and the others run', () => {
    const logged: unknown[] = [];
    const logger: Logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (message, fields) => logged.push(message, fields?.['error']),
    };
    const session = new Session({ logger });
    const error = new Error('boom');
    session.slice(Note).register(Rename, () => {
      throw error;
    });
    session.slice(Note).register(Rename, (_view, { to }) => ({ kind: 'append', value: new Note(to) }));
    session.dispatch(new Rename('z'));
    expect(texts(session)).toEqual(['z']);
    expect(logged[0]).toMatch(/Note.*Rename.*boom/);
    expect(logged[1]).toBe(error);
  });

  test('outside a call, a reducer that throws needs no logger', () => {
    const session = new Session();
    session.slice(Note).register(Rename, () => {
      throw new Error('boom');
    });
    expect(() => session.dispatch(new Rename('z'))).not.toThrow();
    expect(texts(session)).toEqual([]);
  });
});

describe('a session', () => {
  test('a session has an id of its own, or the given one', () => {
    const id = randomUUID();
    expect(new Session({ id }).id).toBe(id);
    expect(new Session().id).not.toBe(new Session().id);
  });

  test('a session shares nothing with another one', () => {
    const [first, second] = [withNotes('a'), withNotes()];
    first.slice(Note).register(Note, () => ({ kind: 'clear', where: undefined }));
    second.dispatch(new Note('b'));
    expect(texts(first)).toEqual(['a']);
    expect(texts(second)).toEqual(['b']);
  });
});

describe('load', () => {
  class Seen {
    constructor(readonly text: string) {}
  }
  const slices = [Note, { type: Seen, policy: 'log' as const }];
  const told = (session: Session): object => ({ notes: texts(session), seen: session.slice(Seen).all() });

  test('load replaces the values of the slices, and keeps id, parent and tags', () => {
    const written = new Session({ id: 'w', parentId: 'other', tags: { user: 'other' }, slices });
    written.dispatch(new Note('a'));
    written.dispatch(new Seen('a'));
    const session = new Session({ id: 's', parentId: 'p', tags: { user: 'u' }, slices });
    session.dispatch(new Note('b'));
    session.dispatch(new Seen('b'));
    session.load(JSON.parse(JSON.stringify(written.toJSON({ logs: true }))));
    expect(session).toMatchObject({ id: 's', parentId: 'p', tags: { user: 'u' } });
    expect(told(session)).toEqual({ notes: ['a'], seen: [new Seen('a')] });
    expect(session.slice(Note).latest()).toBeInstanceOf(Note);
    session.load(JSON.parse(JSON.stringify(new Session({ slices }))));
    expect(told(session)).toEqual({ notes: [], seen: [] });
  });

  test('load changes nothing where JSON cannot be read, or holds too many values', () => {
    const session = new Session({ slices });
    session.dispatch(new Note('b'));
    session.dispatch(new Seen('b'));
    const json = { ...session.toJSON(), slices: { Note: [{ text: 'a' }], Seen: ['a'] } };
    expect(() => session.load(json)).toThrow('E806 slices.Seen[0]: expected an object for Seen, got the string "a"');
    expect(() => session.load(session.toJSON(), { maxValues: 5 })).toThrow('expected at most 5 values, got more');
    expect(told(session)).toEqual({ notes: ['b'], seen: [new Seen('b')] });
  });
});

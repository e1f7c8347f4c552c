import { Reducer, Session, SessionError, type SliceOp, SliceOps } from 'toolwright';
import type { SessionPort } from 'toolwright/conversations';
import { FakeClock } from 'toolwright/testing';
import { SessionSnapshot } from '../../src/session/SessionSnapshot';
import { SessionTransaction } from '../../src/session/SessionTransaction';

class Note {
  constructor(readonly text: string) {}
}
class Line {
  constructor(readonly text: string) {}
}
const texts = (session: SessionPort, type: new (text: string) => Note = Note): string =>
  session
    .slice(type)
    .all()
    .map(({ text }) => text)
    .join();
const withNotes = (...notes: readonly string[]): Session => {
  const session = new Session({ slices: [{ type: Line, policy: 'log' }] });
  for (const text of notes) session.dispatch(new Note(text));
  return session;
};
const begin = (session: Session): SessionTransaction =>
  new SessionTransaction(session.base, { readOnly: false, clock: new FakeClock(), ids: () => 'id' });
const refusal = (code: string): Error => expect.objectContaining({ code }) as Error;

describe('snapshot and restore', () => {
  test('put back what the slices held, the very values', () => {
    const session = withNotes('a', 'b');
    const before = session.slice(Note).all();
    const snapshot = session.snapshot();
    session.dispatch(new Note('c'));
    session.restore(snapshot);
    expect(texts(session)).toBe('a,b');
    expect(session.slice(Note).all()[0]).toBe(before[0]);
    expect(session.slice(Note).latest()).toBe(before[1]);
  });

  test('empty a slice that was empty then, also one that was never met', () => {
    const session = withNotes();
    const snapshot = session.snapshot();
    session.dispatch(new Note('a'));
    session.restore(snapshot);
    expect(texts(session)).toBe('');
    expect(session.slice(Note).latest()).toBeUndefined();
  });

  test('snapshot and restore go back and forth, as often as one likes', () => {
    const session = withNotes('a');
    const one = session.snapshot();
    session.slice(Note).seed(new Note('b'));
    const two = session.snapshot();
    for (const [snapshot, expected] of [
      [one, 'a'],
      [two, 'b'],
      [one, 'a'],
      [one, 'a'],
      [two, 'b'],
    ] as const) {
      session.dispatch(new Note('more'));
      session.restore(snapshot);
      expect(texts(session)).toBe(expected);
    }
  });

  test('a snapshot does not see what comes later, and appends go on after a restore', () => {
    const session = withNotes('a');
    const snapshot = session.snapshot();
    session.restore(snapshot);
    session.dispatch(new Note('b'));
    expect(texts(session)).toBe('a,b');
    session.restore(snapshot);
    expect(texts(session)).toBe('a');
  });

  test('reducers are no state: those that were registered meanwhile stay', () => {
    const session = withNotes();
    const snapshot = session.snapshot();
    session.slice(Note).register(Line, (_view, { text }) => ({ kind: 'append', value: new Note(text) }));
    session.restore(snapshot);
    session.dispatch(new Line('a'));
    expect(texts(session)).toBe('a');
  });

  test('a snapshot says whose it is, and cannot be changed', () => {
    const session = withNotes('a');
    const snapshot = session.snapshot();
    expect(snapshot).toMatchObject({ kind: 'SessionSnapshot', sessionId: session.id, logs: false });
    expect(session.snapshot({ logs: true }).logs).toBe(true);
    expect(Object.isFrozen(snapshot)).toBe(true);
    expect(snapshot instanceof SessionSnapshot).toBe(true);
    expect({ kind: 'SessionSnapshot', sessionId: session.id, logs: false } instanceof SessionSnapshot).toBe(false);
  });

  test('HAND-21 instances keep class and methods', () => {
    class Plan {
      constructor(readonly steps: readonly string[] = []) {}
      count(): number {
        return this.steps.length;
      }
    }
    const session = new Session({ slices: [Plan] });
    session.slice(Plan).seed(new Plan(['a']));
    const snapshot = session.snapshot();
    session.slice(Plan).clear();
    session.restore(snapshot);
    expect(session.slice(Plan).latest()).toBeInstanceOf(Plan);
    expect(session.slice(Plan).latest()?.count()).toBe(1);
  });
});

describe('LOG slices', () => {
  const logged = (): Session => {
    const session = withNotes('a');
    session.dispatch(new Line('one'));
    return session;
  };
  const then = (session: Session): void => {
    session.dispatch(new Line('two'));
    session.dispatch(new Note('b'));
  };

  test.each<[string, boolean, { preserveLogs?: boolean } | undefined, string]>([
    ['stay as they are', false, undefined, 'one,two'],
    ['stay as they are, also when the snapshot holds them', true, undefined, 'one,two'],
    ['stay when asked to', true, { preserveLogs: true }, 'one,two'],
    ['go back with preserveLogs: false', true, { preserveLogs: false }, 'one'],
    ['are emptied with preserveLogs: false when the snapshot holds none', false, { preserveLogs: false }, ''],
  ])('LOG slices %s', (_what, logs, options, expected) => {
    const session = logged();
    const snapshot = session.snapshot({ logs });
    then(session);
    session.restore(snapshot, options);
    expect(texts(session, Line)).toBe(expected);
    expect(texts(session)).toBe('a');
  });

  test('a slice that has become a STATE slice since the snapshot is not taken for an empty one', () => {
    const session = logged();
    const snapshot = session.snapshot();
    session.install(Line, { policy: 'state' });
    session.restore(snapshot);
    expect(texts(session, Line)).toBe('one');
  });
});

describe('a call that runs while its session is restored', () => {
  test('a call conflicts with a restore when it has read the slice, although the same values are back', () => {
    const session = withNotes('a');
    const snapshot = session.snapshot();
    const call = begin(session);
    expect(texts(call)).toBe('a');
    session.dispatch(new Note('b'));
    session.restore(snapshot);
    expect(texts(session)).toBe('a');
    expect(call.conflicts()).toBe(true);
    expect(call.commit()).toBe(false);
  });

  test('a call conflicts with a restore even when nothing was changed in between', () => {
    const session = withNotes('a');
    const call = begin(session);
    texts(call);
    session.restore(session.snapshot());
    expect(call.commit()).toBe(false);
  });

  test('a call conflicts with a restore when it has found a slice empty that is empty again', () => {
    const session = withNotes();
    const snapshot = session.snapshot();
    const call = begin(session);
    texts(call);
    session.dispatch(new Note('b'));
    session.restore(snapshot);
    expect(call.commit()).toBe(false);
  });

  test.each<[string, (session: Session) => void]>([
    ['a restore', (session) => session.restore(session.snapshot())],
    ['a reset', (session) => session.reset()],
  ])('a call appends to what %s has left, when it has read nothing', (_what, act) => {
    const session = withNotes('a');
    const call = begin(session);
    call.dispatch(new Note('b'));
    act(session);
    const left = texts(session);
    expect(call.commit()).toBe(true);
    expect(texts(session)).toBe(left === '' ? 'b' : `${left},b`);
  });

  test('a call conflicts with a reset, too', () => {
    const session = withNotes('a');
    const call = begin(session);
    texts(call);
    session.reset();
    expect(call.commit()).toBe(false);
  });
});

describe('a snapshot of another session', () => {
  test('a snapshot of another session is refused with E803, and nothing is changed', () => {
    const [mine, other] = [withNotes('a'), withNotes('b')];
    const restore = (): void => mine.restore(other.snapshot());
    expect(restore).toThrow(SessionError);
    expect(restore).toThrow(refusal('E803'));
    expect(restore).toThrow(other.id);
    expect(texts(mine)).toBe('a');
  });

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a text', 'snapshot'],
    ['an object', {}],
  ])('a snapshot of another session and %s are refused with E803', (_what, value) => {
    expect(() => withNotes('a').restore(value as SessionSnapshot)).toThrow(refusal('E803'));
  });

  test('a snapshot that was made by hand is refused', () => {
    const session = withNotes('a');
    const forged = new SessionSnapshot(session.id, false);
    expect(() => session.restore(forged)).toThrow(refusal('E803'));
    expect(texts(session)).toBe('a');
  });

  test('a snapshot of another session is taken when the two are related by clone', () => {
    const session = withNotes('a');
    const before = session.snapshot();
    const copy = session.clone();
    copy.dispatch(new Note('b'));
    const after = copy.snapshot();
    copy.restore(before);
    session.restore(after);
    expect(texts(copy)).toBe('a');
    expect(texts(session)).toBe('a,b');
    expect(texts(copy.clone().clone())).toBe('a');
    copy.clone().restore(before);
  });
});

describe('reset', () => {
  class Add {
    constructor(readonly text: string) {}
  }
  class Plan {
    constructor(readonly steps: readonly string[] = []) {}
    @Reducer(() => Add)
    add({ text }: Add): SliceOp<Plan> {
      return SliceOps.replace(new Plan([...this.steps, text]));
    }
  }

  test('reset empties every slice, LOG slices too, and keeps reducers and policies', () => {
    const session = new Session({
      slices: [
        { type: Plan, initial: () => new Plan(['first']) },
        { type: Line, policy: 'log' },
      ],
    });
    for (const event of [new Add('a'), new Line('l'), new Note('n')]) session.dispatch(event);
    session.reset();
    for (const type of [Plan, Line, Note]) expect(session.slice<unknown>(type).all()).toEqual([]);
    session.dispatch(new Add('b'));
    expect(session.slice(Plan).latest()?.steps).toEqual(['first', 'b']);
    expect(session.rules.policyOf(Line)).toBe('log');
  });
});

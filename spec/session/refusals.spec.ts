import { setTimeout as sleep } from 'node:timers/promises';
import { runInThisContext } from 'node:vm';
import { Field, Reducer, Session, SessionError, SliceOps, type SliceOp } from 'toolwright';
import { silent } from '../support/silent';

/** The process itself, which jest replaces. */
const host = runInThisContext('process') as NodeJS.Process;

class Note {
  constructor(readonly text: string) {}
}
class Rename {
  constructor(readonly title: string) {}
}
class Plan {
  constructor(readonly title: string) {}

  @Reducer(() => Rename)
  rename({ title }: Rename): SliceOp<Plan> {
    return SliceOps.replace(new Plan(title));
  }
}

const refusal = (act: () => unknown): Partial<SessionError> => {
  try {
    act();
  } catch (error) {
    if (error instanceof SessionError) return { code: error.code, place: error.place, message: error.message };
    throw error;
  }
  return {};
};
/** A session, and the errors that it logs. */
function loggingSession() {
  const logged: string[] = [];
  const logger = { ...silent, error: (message: string) => void logged.push(message) };
  return { session: new Session({ logger }), logged };
}

/** Fits any value. */
const cast = <T>(value: unknown): T => value as T;

describe('a session says where it refuses something, why, and what to do instead', () => {
  const parent = new Session({ id: 'p' });

  test.each<[what: string, act: () => unknown, code: string, place: string, message: RegExp]>([
    ['an unknown option', () => new Session(cast({ sesion: 1 })), 'E804', 'new Session', /"?sesion"?/],
    [
      'a parent of another kind',
      () => new Session({ parent: cast('p') }),
      'E804',
      'parent',
      /expected a session, got the string "p"/,
    ],
    [
      'a parentId that contradicts the parent',
      () => new Session({ parent, parentId: 'q' }),
      'E804',
      'parent',
      /the parent is session p, and parentId says the string "q"/,
    ],
    [
      'a snapshot of another kind',
      () => new Session({ id: 's' }).restore(cast({ at: 1 })),
      'E803',
      'session s',
      /a SessionSnapshot was expected, got /,
    ],
    ['slices that are no list', () => new Session({ slices: cast(Note) }), 'E804', 'slices', /expected an array, got /],
    [
      'a slice that is listed twice',
      () => new Session({ slices: [Note, Note] }),
      'E804',
      'Note',
      /the class is listed twice in slices/,
    ],
    [
      'a name that is no text',
      () => new Session({ slices: [{ type: Note, name: cast(7) }] }),
      'E804',
      'slices[0]',
      /expected a name for Note, got the number 7/,
    ],
    [
      'a class with reducers that cannot begin',
      () => new Session({ slices: [Plan] }),
      'E804',
      'Plan',
      /need a state to begin with[^]*List it as \{ type: Plan, initial: \(\) => new Plan\(…\) \}/,
    ],
    [
      'JSON that is still a text',
      () => Session.fromJSON('{}'),
      'E806',
      '',
      /expected the result of JSON\.parse, got the string "\{\}"/,
    ],
    [
      'JSON with too many values',
      () => {
        const session = new Session({ slices: [Note] });
        for (let i = 0; i < 3; i++) session.dispatch(new Note('a'));
        Session.fromJSON(session.toJSON(), { slices: [Note], maxValues: 5 });
      },
      'E806',
      '',
      /expected at most 5 values, got more[^]*Raise maxValues/,
    ],
    [
      'values of a slice without a name',
      () => {
        const session = new Session();
        session.dispatch(new Note('a'));
        session.toJSON();
      },
      'E805',
      'slice Note',
      /the slice holds values \(1\) and has no registered name[^]*slices: \[Note\]/,
    ],
    ['an event that is no instance', () => new Session().dispatch(cast(null)), 'E807', 'dispatch', /got null/],
    [
      'a slice that is no class',
      () => new Session().slice(cast<typeof Note>('Note')),
      'E307',
      '',
      /identified by its class, and the string "Note" was passed[^]*Pass the class; /,
    ],
  ])('a session explains its refusal: %s', (_what, act, code, place, message) => {
    const { place: where = '', ...refused } = refusal(act);
    expect({ ...refused, place: where }).toEqual({ code, place, message: expect.stringMatching(message) as string });
  });

  test('a reducer that finds no state tells the logger, and the others run', () => {
    const logged: string[] = [];
    const logger = {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (message: string) => logged.push(message),
    };
    const session = new Session({ logger });
    session.install(Plan);
    session.slice(Note).register(Rename, (_view, { title }) => SliceOps.append(new Note(title)));
    session.dispatch(new Rename('b'));
    expect(session.slice(Note).latest()).toEqual(new Note('b'));
    expect(logged).toEqual([
      expect.stringMatching(
        /Plan.+Rename.+E802 Plan\.rename: the slice is empty, and install received no initial state/,
      ),
    ]);
    expect(logged[0]).toContain('Pass initial to session.install, or seed the slice.');
  });

  test('@Reducer on a static method, for a class that is not there yet, or twice for one event', () => {
    class Static {
      @Reducer(() => Rename)
      static rename(): SliceOp<typeof Static> {
        return SliceOps.clear();
      }
    }
    class Early {
      @Reducer(() => cast<typeof Rename>(undefined))
      rename(): SliceOp<Early> {
        return SliceOps.clear();
      }
    }
    class Twice {
      @Reducer(() => Rename)
      one(): SliceOp<Twice> {
        return SliceOps.clear();
      }

      @Reducer(() => Rename)
      other(): SliceOp<Twice> {
        return SliceOps.clear();
      }
    }
    const messages = [Static, Early, Twice].map((type) => refusal(() => new Session().install(type)).message);
    expect(messages).toEqual([
      expect.stringContaining('E802 Static.rename: @Reducer is applied to a static method'),
      expect.stringContaining('E802 Early.rename: the event class was undefined when it was read'),
      expect.stringContaining('E802 Twice.other: Rename already has a reducer here'),
    ]);
  });

  test('a date in state, with what to write instead; a log may hold one', () => {
    class Dated {
      @Field('When') at!: Date;
    }
    expect(refusal(() => new Session({ slices: [Dated] }))).toMatchObject({
      code: 'E801',
      place: 'Dated.at',
      message: expect.stringMatching(
        /a Date can be changed although it is frozen[^]*Keep it as an ISO 8601 text or a number, or declare the slice with policy 'log'/,
      ) as string,
    });
    expect(() => new Session({ slices: [{ type: Dated, policy: 'log' }] })).not.toThrow();
  });

  test('an asynchronous reducer that rejects does not end the process', async () => {
    const unhandled: unknown[] = [];
    const hear = (reason: unknown): void => void unhandled.push(reason);
    host.on('unhandledRejection', hear);
    try {
      const { session, logged } = loggingSession();
      session.slice(Note).register(
        Note,
        cast(() => Promise.reject(new Error('late'))),
      );
      session.dispatch(new Note('a'));
      expect(logged).toHaveLength(1);
      await sleep(10);
      expect(unhandled).toEqual([]);
    } finally {
      host.off('unhandledRejection', hear);
    }
  });

  test('an asynchronous reducer, and one that returns the state itself', () => {
    const { session, logged } = loggingSession();
    session.slice(Note).register(
      Note,
      cast(async () => SliceOps.clear()),
    );
    session.slice(Note).register(
      Note,
      cast(() => new Note('b')),
    );
    session.dispatch(new Note('a'));
    expect(logged).toEqual([
      expect.stringContaining('Make it synchronous: await asynchronous work before, and pass its result in the event.'),
      expect.stringContaining('Return an operation of SliceOps, such as SliceOps.replace(state).'),
    ]);
  });
});

import { setImmediate } from 'node:timers/promises';
import { Session, SessionError } from 'toolwright';
import { collectGarbage } from './collectGarbage';

const refusal = (code: string): Error => expect.objectContaining({ code }) as Error;

describe('parent and children', () => {
  test('know each other; nothing is inherited', () => {
    class Note {
      constructor(readonly text: string) {}
    }
    const parent = new Session({ tags: { user: 'u1' } });
    parent.dispatch(new Note('a'));
    parent.slice(Note).register(Note, () => ({ kind: 'clear', where: undefined }));
    const [first, second] = [new Session({ parent }), new Session({ parent, tags: { agent: 'b' } })];
    expect(parent.children).toEqual([first, second]);
    expect(first).toMatchObject({ parent, parentId: parent.id, tags: {} });
    expect(second.tags).toEqual({ agent: 'b' });
    first.dispatch(new Note('b'));
    expect(first.slice(Note).all()).toEqual([new Note('b')]);
    expect(parent.slice(Note).all()).toEqual([new Note('a')]);
    expect(parent).toMatchObject({ parent: null, parentId: null });
    expect(new Session({ parent: first }).parent?.parent).toBe(parent);
  });

  test('the list of children is a copy that cannot be changed', () => {
    const parent = new Session();
    const before = parent.children;
    expect(Object.isFrozen(before)).toBe(true);
    new Session({ parent });
    expect(before).toEqual([]);
    expect(parent.children).toHaveLength(1);
  });

  test('a session that could not be created is no child', () => {
    const parent = new Session();
    const odd = undefined as unknown as typeof Session;
    expect(() => new Session({ parent, slices: [odd] })).toThrow(refusal('E804'));
    expect(() => Session.fromJSON({}, { parent })).toThrow(SessionError);
    expect(parent.children).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['an id', 'id'],
    ['an object', { id: 'id' }],
  ])('%s as parent is refused with E804', (_what, parent) => {
    expect(() => new Session({ parent: parent as Session })).toThrow(refusal('E804'));
  });

  test('a parentId that is not that of the parent is refused with E804', () => {
    const parent = new Session({ id: 'mine' });
    expect(() => new Session({ parent, parentId: 'other' })).toThrow(refusal('E804'));
    expect(new Session({ parent, parentId: 'mine' }).parentId).toBe('mine');
    expect(new Session({ parentId: 'far' })).toMatchObject({ parent: null, parentId: 'far' });
  });

  test('parent and child may be of two copies of the package in one process', () => {
    let copy: typeof Session | undefined;
    jest.isolateModules(() => {
      copy = jest.requireActual<{ readonly Session: typeof Session }>('toolwright').Session;
    });
    const parent = new copy!();
    expect(parent instanceof Session).toBe(true);
    const child = new Session({ parent });
    expect(parent.children).toEqual([child]);
    expect(() => child.restore(parent.snapshot())).toThrow(refusal('E803'));
    expect(copy!.fromJSON(child.toJSON(), { parent }).parent).toBe(parent);
  });

  test('a parent does not keep its children: of 10,000 that were dropped nothing stays', async () => {
    const parent = new Session();
    const kept = new Session({ parent });
    for (let round = 0; round < 100; round++) {
      for (let count = 0; count < 100; count++) new Session({ parent });
      // A weak reference holds its object until the job ends.
      await setImmediate();
      if (round % 25 === 24) collectGarbage();
    }
    await setImmediate();
    collectGarbage();
    expect(parent.children).toEqual([kept]);
    expect(parent.offspring.size).toBeLessThan(5_000);
    await setImmediate();
    collectGarbage();
    // The next sweep, at the latest when their number has doubled, forgets the references as well.
    for (let count = 0; count < 5_000; count++) new Session({ parent });
    expect(parent.offspring.size).toBeLessThan(7_000);
    // A full collection takes as long as what other specs left in this process is large.
  }, 60_000);

  test('a child keeps its parent', async () => {
    const child = new Session({ parent: new Session({ id: 'p' }) });
    await setImmediate();
    collectGarbage();
    expect(child.parent?.id).toBe('p');
  });
});

describe('tags', () => {
  test('tags are a frozen copy', () => {
    const tags: Record<string, string> = { user: 'u1' };
    const session = new Session({ tags });
    tags['user'] = 'u2';
    expect(session.tags).toEqual({ user: 'u1' });
    expect(Object.isFrozen(session.tags)).toBe(true);
    expect(new Session().tags).toEqual({});
  });

  test('tags may be named like what every object has', () => {
    const tags = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, string>;
    const session = new Session({ tags });
    expect(Object.entries(session.tags)).toEqual(Object.entries(tags));
    expect(Object.getPrototypeOf(session.tags)).toBe(Object.prototype);
  });

  test.each<[string, unknown, string]>([
    ['an array', ['a'], 'tags'],
    ['null', null, 'tags'],
    ['a text', 'a', 'tags'],
    ['a number inside', { user: 5 }, 'tags.user'],
    ['undefined inside', { user: undefined }, 'tags.user'],
  ])('tags that are or hold %s are refused with E804 and their place', (_what, tags, place) => {
    const make = (): Session => new Session({ tags: tags as Record<string, string> });
    expect(make).toThrow(expect.objectContaining({ code: 'E804', place }) as Error);
  });
});

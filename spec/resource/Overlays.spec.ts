import { bind, type StateChange, type Transactional } from 'toolwright';
import type { ResourceBinding } from 'toolwright/resources';
import { TransactionResources } from '../../src/resource/TransactionResources';
import { registryOf } from './registryOf';
import { Slate } from './Shelf';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A resource that writes down what is done with it. */
class First implements Transactional<string> {
  moved = false;
  readonly given: unknown[] = [];
  constructor(readonly log: string[] = []) {}
  begin(options: unknown): string | Promise<string> {
    this.given.push(options);
    return 'overlay';
  }
  commit(_overlay: string): unknown {
    this.log.push(`commit ${this.constructor.name}`);
    return undefined;
  }
  conflicts(): boolean {
    return this.moved;
  }
}
class Second extends First {}
/** Takes time to begin and to commit, and is rolled back. */
class Slow extends First {
  override async begin(options: unknown): Promise<string> {
    return super.begin(options);
  }
  override async commit(overlay: string): Promise<unknown> {
    super.commit(overlay);
    await sleep(5);
    return undefined;
  }
  rollback(): void {
    this.log.push(`rollback ${this.constructor.name}`);
  }
}
class Slower extends Slow {}

const bound = (resource: object): ResourceBinding => bind(resource.constructor as typeof Object, { value: resource });
/** A call that has begun to use the resources, in their order. */
async function callOf(...resources: readonly object[]): Promise<TransactionResources> {
  const call = new TransactionResources(registryOf(resources.map(bound)));
  for (const { constructor } of resources) await call.resolve(constructor as typeof Object);
  return call;
}
const half = (place: string, problem: string): unknown => ({
  kind: 'half',
  error: expect.objectContaining({ code: 'E914', place, message: expect.stringContaining(problem) as string }) as Error,
});

describe('the changes of a call', () => {
  const changeable = (give: () => unknown): First => Object.assign(new First(), { changes: give });

  test('the list of changes lists a resource with its changes, and leaves out one without any', async () => {
    const changes: StateChange[] = [{ what: 'a', before: undefined, after: 1 }];
    expect((await callOf(changeable(() => changes))).changes()).toEqual([{ name: 'First', changes }]);
    expect((await callOf(changeable(() => []))).changes()).toEqual([]);
  });

  test('the list of changes lists a resource that is changed in place once it was written to', async () => {
    const call = new TransactionResources(registryOf([bind(Slate, { value: new Slate() })]));
    const slate = call.get(Slate);
    expect(call.changes()).toEqual([]);
    slate.put('a');
    expect(call.changes()).toEqual([{ name: 'Slate', changes: undefined }]);
  });

  const thrown = new Error('no disk');
  test.each<[string, () => unknown, object]>([
    [
      'throws',
      () => {
        throw thrown;
      },
      { message: expect.stringContaining('changes threw: no disk') as string, cause: thrown },
    ],
    ['is a number', () => 1, { message: expect.stringContaining('returned the number 1, expected a list') as string }],
    ['rejects', () => Promise.reject(thrown), { message: expect.stringContaining('expected a list') as string }],
  ])('E915 a call is refused if changes() %s', async (_how, give, error) => {
    const call = await callOf(changeable(give));
    expect(() => call.changes()).toThrow(expect.objectContaining({ code: 'E915', place: 'First', ...error }) as Error);
  });
});

describe('a commit of several resources', () => {
  test('a commit of several resources begins with those that took time to begin, whichever was used first', async () => {
    const log: string[] = [];
    const call = await callOf(new First(log), new Slow(log), new Second(log));
    expect(await call.commit()).toBeUndefined();
    expect(log).toEqual(['commit Slow', 'commit First', 'commit Second']);
  });

  test('E914 a commit of several resources stops at a resource that was changed while another one was committed', async () => {
    const first = new First();
    const call = await callOf(new Slow(), first);
    const committing = call.commit();
    first.moved = true;
    expect(await committing).toEqual(half('First', 'changed from outside while another resource was committed'));
    expect(first.log).toEqual([]);
  });

  test.each([
    ['alone', [], { kind: 'conflicted' }],
    ['after another one', [new First()], half('Second', 'changed from outside while another resource was committed')],
  ])('a resource that conflicts when it is committed, %s', async (_when, before, failure) => {
    const second = Object.assign(new Second(), { commit: () => 'conflicted' });
    const call = await callOf(...before, second);
    expect(await call.commit()).toEqual(failure);
  });

  test('E914 a commit of several resources stops once the call was given up', async () => {
    const first = new First();
    const call = await callOf(new Slow(), first);
    const committing = call.commit();
    await call.finish(false, () => undefined);
    expect(await committing).toEqual(half('First', 'its call was given up'));
    expect(first.log).toEqual([]);
  });
});

describe('the beginning and the end of an overlay', () => {
  test('an overlay begins with the record of the outcome if there is one', () => {
    const record = { database: {}, join: () => true };
    const first = new First();
    const registry = registryOf([bound(first)]);
    new TransactionResources(registry, { record }).get(First);
    new TransactionResources(registry, { readOnly: true }).get(First);
    expect(first.given).toEqual([{ readOnly: false, record }, { readOnly: true }]);
    expect(first.given[1]).not.toHaveProperty('record');
  });

  test('E913 an overlay that could not begin begins again when it is asked for again', async () => {
    let tries = 0;
    const begin = async (): Promise<string> => {
      if (++tries === 1) throw new Error('no connection');
      return 'overlay';
    };
    const call = new TransactionResources(registryOf([bound(Object.assign(new Slow(), { begin }))]));
    await expect(call.resolve(Slow)).rejects.toMatchObject({ code: 'E913', place: 'Slow' });
    expect(await call.resolve(Slow)).toBe('overlay');
  });

  test('the latest is rolled back first, and one without rollback is nothing to wait for', async () => {
    const log: string[] = [];
    const call = await callOf(new Slow(log), new First(log), new Slower(log));
    expect(await call.finish(false, () => undefined)).toBeUndefined();
    expect(log).toEqual(['rollback Slower', 'rollback Slow']);
    expect((await callOf(new First())).finish(false, () => undefined)).toBeUndefined();
  });
});

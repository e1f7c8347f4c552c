import * as fc from 'fast-check';
import { ToolwrightError, type Constructor } from 'toolwright';
import type { ResourceBinding, ResourceScope } from 'toolwright/resources';
import { bind } from '../../src/resource/bind';
import { TransactionResources } from '../../src/resource/TransactionResources';
import { expectEqual } from '../support/expectEqual';
import { registryOf } from './registryOf';
import { pass } from './Shelf';

/** One resource of a random graph; resources are numbered, and named by their numbers. */
interface Node {
  readonly scope: 'singleton' | 'toolCall' | 'prototype';
  readonly needs: readonly number[];
  readonly fails: boolean;
  readonly closeThrows: boolean;
  /** The number of times that the provider yields before each step. */
  readonly passes: number;
}
/** The requester: the host, or one of two calls. */
interface Ask {
  readonly by: 'host' | 0 | 1;
  readonly what: number;
}

const COUNT = 6;
const number = fc.nat(COUNT - 1);
const graph = fc.array(
  fc.record({
    scope: fc.constantFrom('singleton' as const, 'singleton' as const, 'toolCall' as const, 'prototype' as const),
    needs: fc.array(number, { maxLength: 2 }),
    fails: fc.nat(9).map((dice) => dice === 0),
    closeThrows: fc.nat(4).map((dice) => dice === 0),
    passes: fc.nat(3),
  }),
  { minLength: COUNT, maxLength: COUNT },
);
const asks = fc.array(fc.record({ by: fc.constantFrom('host' as const, 0 as const, 1 as const), what: number }), {
  maxLength: 12,
});

class Made {
  constructor(
    readonly node: number,
    readonly serial: number,
  ) {}
}

/** The graph as bindings, and what happens to them. */
function world(nodes: readonly Node[], takesTime: boolean) {
  const log: string[] = [];
  const types = nodes.map((_node, index) => ({ [`R${index}`]: class extends Made {} })[`R${index}`]!);
  const serials = nodes.map(() => 0);
  const make = (index: number): Made => {
    if (nodes[index]!.fails) throw new Error(`R${index} fails`);
    const made = new types[index]!(index, ++serials[index]!);
    log.push(`create ${index}#${made.serial}`);
    return made;
  };
  const bindings = nodes.map(({ scope, needs, closeThrows, passes }, index): ResourceBinding => {
    const atOnce = (resources: ResourceScope): Made => {
      for (const need of needs) resources.get(types[need]!);
      return make(index);
    };
    const inTime = async (resources: ResourceScope): Promise<Made> => {
      for (const need of needs) {
        await pass(passes);
        await resources.resolve(types[need]!);
      }
      await pass(passes);
      return make(index);
    };
    const close = ({ serial }: Made): void => {
      log.push(`close ${index}#${serial}`);
      if (closeThrows) throw new Error(`close of ${index}`);
    };
    const provide = takesTime ? inTime : atOnce;
    return bind<Made>(types[index]!, scope === 'prototype' ? { scope, provide } : { scope, provide, close });
  });
  return { log, types, registry: registryOf(bindings) };
}

/** The model's equivalent of an error of ours. */
class Refused extends Error {
  constructor(override readonly name: string) {
    super();
  }
}
const told = (error: unknown): string => (error instanceof Error ? error.name : String(error));

/** The same by plain recursion, one after the other. */
class Model {
  readonly log: string[] = [];
  readonly errors: string[] = [];
  readonly #serials: number[];
  readonly #pools = new Map<Ask['by'], Map<number, number>>();
  readonly #singletons = new Map<number, number>();
  readonly #opened = new Map<'singletons' | 0 | 1, string[]>();

  constructor(readonly nodes: readonly Node[]) {
    this.#serials = nodes.map(() => 0);
  }

  ask({ by, what }: Ask): string {
    try {
      return `${what}#${this.#obtain(what, by, [])}`;
    } catch (error) {
      return told(error);
    }
  }

  close(life: 'singletons' | 0 | 1): void {
    for (const opened of (this.#opened.get(life) ?? []).reverse()) {
      this.log.push(`close ${opened}`);
      const index = Number(opened.split('#')[0]);
      if (this.nodes[index]!.closeThrows) this.errors.push(`close of ${index}`);
    }
  }

  #obtain(what: number, by: Ask['by'], path: readonly number[]): number {
    const { scope } = this.nodes[what]!;
    const holder = path.filter((index) => this.nodes[index]!.scope !== 'prototype').at(-1);
    if (scope === 'toolCall' && holder !== undefined && this.nodes[holder]!.scope === 'singleton')
      throw new Refused('ProviderError');
    const pool = scope === 'singleton' ? this.#singletons : (this.#pools.get(by) ?? new Map<number, number>());
    if (scope === 'toolCall') this.#pools.set(by, pool);
    const known = scope === 'prototype' ? undefined : pool.get(what);
    if (known !== undefined) return known;
    if (path.includes(what)) throw new Refused('CircularDependencyError');
    const here = scope === 'singleton' ? 'host' : by;
    for (const need of this.nodes[what]!.needs) this.#obtain(need, here, [...path, what]);
    if (this.nodes[what]!.fails) throw new Refused('ProviderError');
    const serial = ++this.#serials[what]!;
    this.log.push(`create ${what}#${serial}`);
    if (scope !== 'prototype') {
      pool.set(what, serial);
      const life = here === 'host' ? 'singletons' : here;
      this.#opened.set(life, [...(this.#opened.get(life) ?? []), `${what}#${serial}`]);
    }
    return serial;
  }
}

describe('random graphs of resources', () => {
  test.each([
    ['at once', false],
    ['in time', true],
  ])(
    'resources are made, shared, refused and closed as a plain model says: providers that return %s',
    async (_name, takesTime) => {
      await fc.assert(
        fc.asyncProperty(graph, asks, async (nodes, all) => {
          const { log, types, registry } = world(nodes, takesTime);
          const model = new Model(nodes);
          const calls = [new TransactionResources(registry), new TransactionResources(registry)];
          for (const ask of all) {
            const scope: ResourceScope = ask.by === 'host' ? registry : calls[ask.by]!;
            const type = types[ask.what] as Constructor<Made>;
            const got = await (async () => (takesTime ? scope.resolve(type) : scope.get(type)))().then(
              ({ node, serial }) => `${node}#${serial}`,
              told,
            );
            expectEqual([ask, got], [ask, model.ask(ask)]);
          }
          const errors: string[] = [];
          for (const life of [1, 0] as const) {
            calls[life]!.close();
            await calls[life]!.finish(false, ({ error }) => errors.push((error as Error).message));
            model.close(life);
          }
          errors.push(...(await registry.close()).map(({ error }) => (error as Error).message));
          model.close('singletons');
          expect(log).toEqual(model.log);
          expect(errors).toEqual(model.errors);
        }),
        { numRuns: 300 },
      );
    },
  );

  test('resources that are asked for all at once are each made once, and closed before the ones they need', async () => {
    await fc.assert(
      fc.asyncProperty(graph, fc.array(number, { minLength: 2, maxLength: 8 }), async (drawn, all) => {
        const nodes = drawn.map((node): Node => ({ ...node, scope: 'singleton', fails: false, closeThrows: false }));
        const { log, types, registry } = world(nodes, true);
        const asked = all.map((what) => registry.resolve(types[what]!));
        const results = await Promise.allSettled(asked);
        const circular = (what: number, path: readonly number[]): boolean =>
          path.includes(what) || nodes[what]!.needs.some((need) => circular(need, [...path, what]));
        for (const [index, result] of results.entries()) {
          // A resource outside of circles, and without dependencies in one, is available; any other fails.
          if (circular(all[index]!, [])) {
            expect(result).toMatchObject({ status: 'rejected', reason: { name: 'CircularDependencyError' } });
            expect((result as PromiseRejectedResult).reason instanceof ToolwrightError).toBe(true);
          } else expect(result.status).toBe('fulfilled');
        }
        await registry.close();
        const created = log.filter((line) => line.startsWith('create')).map((line) => line.replace('create ', ''));
        const closed = log.filter((line) => line.startsWith('close')).map((line) => line.replace('close ', ''));
        expect(new Set(created).size).toBe(created.length);
        expect(created.every((made) => made.endsWith('#1'))).toBe(true);
        expect(closed).toEqual([...created].reverse());
        for (const [what, { needs }] of nodes.entries())
          for (const need of needs)
            if (created.includes(`${what}#1`))
              expect(closed.indexOf(`${what}#1`)).toBeLessThan(closed.indexOf(`${need}#1`));
      }),
      { numRuns: 300, timeout: 30_000 },
    );
  }, 60_000);
});

import { Container, Service } from 'typedi';
import {
  type ApplicationOptions,
  bind,
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  Param,
  Section,
  Session,
  Tool,
  ToolContext,
  type Transactional,
} from 'toolwright';
import { fromTypedi } from 'toolwright/adapters';
import { ProviderError } from 'toolwright/resources';

const service = () => Service() as (type: Constructor) => void;

/** Rows that are rolled back with a call. */
class Store implements Transactional<Store> {
  rows: readonly string[] = [];
  begin(): Store {
    return Object.assign(new Store(), { rows: this.rows });
  }
  commit(overlay: Store): void {
    this.rows = overlay.rows;
  }
}

/** A resource of one call; each instance has a number. */
let made = 0;
@service()
class Repository {
  readonly number = ++made;
  seen = 0;
}
const perCall = () => bind(Repository, { scope: 'toolCall', provide: () => new Repository() });

async function creation(section: Constructor, options: Partial<ApplicationOptions>): Promise<unknown> {
  const desk = definePrompt({ ns: 'support', key: 'desk', sections: [section] });
  return createApplication({ prompts: [desk], ...options }).then(
    () => 'created',
    (error: unknown) => error,
  );
}

describe('CONT-03 captive dependency', () => {
  const containers = [
    ['the plain container', () => undefined],
    ['typedi', () => fromTypedi(Container, { id: `captive ${String(++made)}` })],
  ] as const;

  test.each(containers)(
    'CONT-03 a section whose constructor asks for a resource of one call is refused: E404, with %s',
    async (_name, container) => {
      @Section({ title: 'Orders' })
      class OrdersSection {
        constructor(readonly orders: Repository) {}
      }
      expect(await creation(OrdersSection, { container: container(), resources: [perCall()] })).toMatchObject({
        name: 'PromptValidationError',
        code: 'E404',
        place: 'OrdersSection',
        remedy: 'Ask for it in the handler: context.resources.get(Repository).',
        findings: [
          {
            className: 'OrdersSection',
            member: 'constructor',
            problem: 'Repository lives for one call, and is reached by OrdersSection → Repository',
          },
        ],
      });
      // Bound for the application, or not at all, it is a service like any other.
      expect(await creation(OrdersSection, { container: container() })).toBe('created');
      const forAll = bind(Repository, { value: new Repository() });
      expect(await creation(OrdersSection, { container: container(), resources: [forAll] })).toBe('created');
    },
  );

  test('CONT-03 captive dependencies behind services, in class tools and in sections below are reported with their paths', async () => {
    @service()
    class Orders {
      constructor(readonly repository: Repository) {}
    }
    @service()
    class Audit {
      constructor(readonly orders: Orders) {}
    }
    @Tool({ name: 'audit', description: 'Audits.' })
    class AuditTool {
      constructor(readonly audit: Audit) {}
      handle() {}
    }
    @Section({ title: 'Inner', tools: [AuditTool] })
    class InnerSection {
      constructor(readonly orders: Orders) {}
    }
    const outer = defineSection({ key: 'outer', title: 'Outer', children: [InnerSection] });
    expect(await creation(outer, { resources: [perCall()] })).toMatchObject({
      findings: [
        {
          code: 'E404',
          place: 'InnerSection',
          problem: expect.stringContaining('InnerSection → Orders → Repository') as unknown,
        },
        {
          code: 'E404',
          place: 'AuditTool',
          problem: expect.stringContaining('AuditTool → Audit → Orders → Repository') as unknown,
        },
      ],
    });
  });

  test('CONT-03 a constructor that asks for the ToolContext is refused: E404', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      constructor(readonly context: ToolContext) {}
    }
    expect(await creation(OrdersSection, {})).toMatchObject({
      code: 'E404',
      place: 'OrdersSection',
      remedy: expect.stringContaining('parameter of the handler') as unknown,
    });
  });

  test('CONT-03 a resource of the application cannot hold one of a call', async () => {
    class Cache {
      constructor(readonly repository: Repository) {}
    }
    let error: unknown;
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Counts.') count(context: ToolContext): number {
        try {
          return context.resources.get(Cache).repository.number;
        } catch (thrown) {
          error = thrown;
          throw thrown;
        }
      }
    }
    const desk = definePrompt({ ns: 'support', key: 'desk', sections: [OrdersSection] });
    const cache = bind(Cache, { provide: (scope) => new Cache(scope.get(Repository)) });
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const app = await createApplication({ prompts: [desk], resources: [cache, perCall()], logger });
    expect(await app.invoke(await app.prompt(desk).render(), 'count', {})).toMatchObject({ kind: 'failed' });
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({
      code: 'E904',
      place: 'Cache',
      message: expect.stringContaining('Repository, which lives for one call') as unknown,
      remedy: expect.stringMatching(/\S\.$/) as unknown,
    });
  });

  test('CONT-03 two sessions never share what lives for one call, also when their calls run at once', async () => {
    class CountParams {
      @Param('Who') who!: string;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Counts.') async count({ who }: CountParams, context: ToolContext): Promise<readonly [number, number]> {
        const repository = context.resources.get(Repository);
        const store = context.resources.get(Store);
        store.rows = [...store.rows, who];
        await Promise.resolve();
        return [repository.number, ++context.resources.get(Repository).seen];
      }
    }
    const desk = definePrompt({ ns: 'support', key: 'desk', sections: [OrdersSection] });
    const store = new Store();
    const app = await createApplication({ prompts: [desk], resources: [perCall(), bind(Store, { value: store })] });
    const rendered = await app.prompt(desk).render();
    const outcomes = await Promise.all(
      ['a', 'b', 'a', 'b'].map((who) => app.invoke(rendered, 'count', { who }, { session: new Session({ id: who }) })),
    );
    const values = outcomes.map(({ result }) => result.value as readonly [number, number]);
    expect(new Set(values.map(([number]) => number)).size).toBe(4);
    expect(values.map(([, seen]) => seen)).toEqual([1, 1, 1, 1]);
  });
});

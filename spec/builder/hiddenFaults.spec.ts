import { Injectable, Scope } from '@nestjs/common';
import {
  type ApplicationOptions,
  type Constructor,
  createApplication,
  Param,
  Prompt,
  PromptValidationError,
  Section,
  Tool,
} from 'toolwright';
import type { ContainedHandler, ContainerAdapter } from 'toolwright/adapters';
import { ToolInvoked } from 'toolwright/events';
import { rejection } from '../dispatch/desk.js';
import { closeNest, startDesk } from '../support/nestDesk.js';

class Base {
  @Tool('Finds.')
  find(): string {
    return 'found';
  }
}

/** Creates an application of one section, and returns it with what it logs and publishes. */
async function appOf(section: Constructor, options: Partial<ApplicationOptions> = {}) {
  @Prompt({ ns: 'spec', key: 'desk', sections: [section] })
  class DeskPrompt {}
  const errors: (readonly [string, unknown])[] = [];
  const error = (message: string, fields?: Readonly<Record<string, unknown>>) =>
    void errors.push([message, fields?.['error']]);
  const logger = { debug() {}, info() {}, warn() {}, error };
  const app = await createApplication({ prompts: [DeskPrompt], logger, ...options });
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => void events.push(event));
  const rendered = await app.prompt(DeskPrompt).render();
  return { call: (name: string) => app.invoke(rendered, name, {}), errors, events };
}

/** A container that gives what the function makes of an instance. */
const giving = (change: (instance: object) => object): ContainerAdapter => ({
  get: (type) => change(new type()) as never,
});

afterEach(closeNest);

describe('TRACE-05 a tool whose method is not there', () => {
  const subclasses: readonly (readonly [string, RegExp, () => Constructor])[] = [
    [
      'a field that is a number',
      /the field find, which is the number 3,/,
      () => {
        @Section({ title: 'Orders' })
        class Orders extends Base {
          constructor() {
            super();
            Object.assign(this, { find: 3 });
          }
        }
        return Orders;
      },
    ],
    [
      'a field that is undefined',
      /the field find, which is undefined,/,
      () => {
        @Section({ title: 'Orders' })
        class Orders extends Base {
          constructor() {
            super();
            Object.assign(this, { find: undefined });
          }
        }
        return Orders;
      },
    ],
    [
      'a number on the prototype',
      /find is the number 3/,
      () => {
        @Section({ title: 'Orders' })
        class Orders extends Base {}
        Object.defineProperty(Orders.prototype, 'find', { value: 3 });
        return Orders;
      },
    ],
  ];

  test.each(subclasses)('E114 %s: the application is not made', async (_what, problem, make) => {
    const error = await rejection(appOf(make()));
    expect(error instanceof PromptValidationError).toBe(true);
    expect(error).toMatchObject({
      code: 'E114',
      findings: [{ code: 'E114', className: 'Orders', member: 'find', toolName: 'find', place: 'Orders.find' }],
      message: expect.stringMatching(problem) as string,
    });
  });

  test.each<[string, (instance: object) => object]>([
    ['an object without the method', () => ({})],
    ['a proxy that hides it', (given) => new Proxy(given, { get: () => undefined })],
    [
      'a proxy that throws',
      (given) =>
        new Proxy(given, {
          get: (target, key): unknown => {
            if (key === 'find') throw new Error('not today');
            return Reflect.get(target, key);
          },
        }),
    ],
  ])('E114 a container that gives %s: the same', async (_what, change) => {
    @Section({ title: 'Orders' })
    class Orders extends Base {}
    const error = await rejection(appOf(Orders, { container: giving(change) }));
    expect(error).toMatchObject({ code: 'E114', findings: [{ place: 'Orders.find', member: 'find' }] });
  });

  test('E114 every one of them is named, of class tools as well', async () => {
    class Given {
      @Param('Text') text!: string;
    }
    @Tool({ name: 'keep', description: 'Keeps.', params: Given })
    class Keep {
      handle({ text }: Given): string {
        return text;
      }
    }
    @Section({ title: 'Child' })
    class Child extends Base {
      @Tool('Lists.')
      list(): string {
        return 'listed';
      }
    }
    @Section({ title: 'Orders', tools: [Keep], children: [Child] })
    class Orders {}
    const error = await rejection(appOf(Orders, { container: giving(() => ({})) }));
    const { findings } = error as PromptValidationError;
    expect(findings.map(({ place }) => place).sort()).toEqual(['Child.find', 'Child.list', 'Keep.handle']);
  });

  test('a field that holds a function is a handler', async () => {
    @Section({ title: 'Orders' })
    class Orders extends Base {
      constructor() {
        super();
        Object.assign(this, { find: () => 'by the field' });
      }
    }
    const { call } = await appOf(Orders);
    expect(await call('find')).toMatchObject({ kind: 'succeeded', text: 'by the field' });
  });

  /** The call says that the tool is broken; event and log have the error. */
  async function expectBroken(
    call: Promise<unknown>,
    told: Pick<Awaited<ReturnType<typeof appOf>>, 'errors' | 'events'>,
  ) {
    const broken = expect.objectContaining({ code: 'E114', place: 'Orders.find' }) as Error;
    expect(await call).toMatchObject({
      kind: 'failed',
      text: expect.stringMatching(/^The tool find is broken \(E114\), whatever its arguments are\./) as string,
      error: broken,
    });
    expect(told.events).toMatchObject([{ kind: 'failed', error: broken }]);
    expect(told.errors.map(([, error]) => error)).toEqual([broken]);
  }

  test('E114 a method that goes away later: the call fails, and never succeeds with nothing run', async () => {
    let instance: Record<string, unknown> = {};
    @Section({ title: 'Orders' })
    class Orders extends Base {
      constructor() {
        super();
        instance = this as never;
      }
    }
    const told = await appOf(Orders);
    instance['find'] = undefined;
    await expectBroken(told.call('find'), told);
  });

  test('E114 a container that gives another instance for the call', async () => {
    @Section({ title: 'Orders' })
    class Orders extends Base {}
    const container: ContainerAdapter = {
      get: (type) => new type(),
      run: (handler: ContainedHandler, params) => handler.invoke({ find: 3 }, params),
    };
    const told = await appOf(Orders, { container });
    await expectBroken(told.call('find'), told);
  });

  test('E114 a request-scoped class of Nest', async () => {
    @Injectable({ scope: Scope.REQUEST })
    @Section({ title: 'Orders' })
    class Orders extends Base {
      constructor() {
        super();
        Object.assign(this, { find: 3 });
      }
    }
    const { toolwright, call } = await startDesk([Orders]);
    const events: ToolInvoked[] = [];
    toolwright.app.eventBus.subscribe(ToolInvoked, (event) => void events.push(event));
    const outcome = await call('find', {}, {});
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'E114' } });
    expect(outcome.text).toMatch(/^The tool find is broken \(E114\)/);
    expect(events).toMatchObject([{ kind: 'failed', error: { code: 'E114' } }]);
  });
});

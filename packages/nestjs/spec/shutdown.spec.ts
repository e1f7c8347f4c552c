import 'reflect-metadata';
import { Injectable, Module, type INestApplicationContext, type OnApplicationShutdown } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { bind, type ModelAdapter, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { Toolwright, ToolwrightModule, type ToolwrightModuleOptions } from '@toolwright/nestjs';
import { silent } from '../../../spec/support/silent.js';

// Wide, for machines that run everything at once.
jest.setTimeout(60_000);

class Said {}

/** A gate that is opened later, and that reports when it is waited for. */
function gate() {
  let open: () => void = () => {};
  let reach: () => void = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const reached = new Promise<void>((resolve) => (reach = resolve));
  return {
    open: () => {
      open();
    },
    reached,
    pass: async () => {
      reach();
      await opened;
    },
  };
}

async function start(options: ToolwrightModuleOptions) {
  const door = gate();
  const order: string[] = [];
  @Section({ title: 'Slow' })
  class Slow {
    @Tool('Waits.')
    async wait({ session, signal }: ToolContext): Promise<string> {
      session.dispatch(new Said());
      signal.addEventListener('abort', () => order.push('signal'));
      await door.pass();
      order.push('handler');
      return 'done';
    }
    @Tool('Is there still anybody?')
    quick(): string {
      return 'yes';
    }
  }
  @Prompt({ ns: 'shop', key: 'desk', sections: [Slow] })
  class Desk {}
  @Injectable()
  class Database implements OnApplicationShutdown {
    onApplicationShutdown(): void {
      order.push('database');
    }
  }
  @Module({
    imports: [ToolwrightModule.forRoot({ logger: silent, ...options })],
    providers: [Slow, Desk, Database],
  })
  class AppModule {}
  const nest: INestApplicationContext = await Test.createTestingModule({ imports: [AppModule] }).compile();
  await nest.init();
  const { app } = nest.get(Toolwright);
  return { nest, app, prompt: app.prompt(Desk), door, order };
}

test('NEST-02 closing waits for the call that runs, takes no new one, and the database goes last', async () => {
  const { nest, app, prompt, door, order } = await start({ graceMs: 60_000 });
  const session = new Session();
  const rendered = await prompt.render();
  const running = app.invoke(rendered, 'wait', {}, { session });
  await door.reached;
  const closed = nest.close();
  const refusal = async (): Promise<unknown> => {
    for (;;) {
      try {
        await app.invoke(rendered, 'quick', {});
        await new Promise((resolve) => setImmediate(resolve));
      } catch (error) {
        return error;
      }
    }
  };
  expect(await refusal()).toMatchObject({ code: 'E410' });
  expect(order).toEqual([]);
  door.open();
  await closed;
  expect((await running).kind).toBe('succeeded');
  expect(session.slice(Said).all()).toHaveLength(1);
  expect(order).toEqual(['handler', 'database']);
});

test('NEST-02 E955 when the grace is over, the run is aborted and its call rolled back', async () => {
  const { nest, app, prompt, door, order } = await start({ graceMs: 20 });
  const session = new Session();
  const adapter = new ScriptedModel([{ toolCalls: [{ name: 'wait', arguments: {} }] }, { text: 'never' }]);
  const running = app.evaluate(prompt, { adapter, session });
  const failed = expect(running).rejects.toMatchObject({ code: 'E955', phase: 'tool' });
  await door.reached;
  await nest.close();
  await failed;
  expect(session.slice(Said).all()).toEqual([]);
  expect(order).toEqual(['signal', 'database']);
  expect(adapter.requests).toHaveLength(1);
  door.open();
});

test('E955 a request to the model that does not end is given up as well', async () => {
  const { nest, app, prompt } = await start({ graceMs: 20 });
  let asked: () => void = () => {};
  const waiting = new Promise<void>((resolve) => (asked = resolve));
  const adapter: ModelAdapter = {
    name: 'silent',
    complete: () => {
      asked();
      return new Promise(() => {});
    },
  };
  const running = app.evaluate(prompt, { adapter });
  const failed = expect(running).rejects.toMatchObject({ code: 'E955' });
  await waiting;
  await nest.close();
  await failed;
});

test('closing does not wait for ever for a handler that ignores its signal', async () => {
  let asked: () => void = () => {};
  const waiting = new Promise<void>((resolve) => (asked = resolve));
  @Section({ title: 'Careful', requiresApproval: true })
  class Careful {
    @Tool('Act.')
    act(): string {
      return 'acted';
    }
  }
  @Prompt({ ns: 'shop', key: 'desk', sections: [Careful] })
  class Desk {}
  const approver = {
    approve: (): Promise<never> => {
      asked();
      return new Promise(() => {});
    },
  };
  const nest = await Test.createTestingModule({
    imports: [ToolwrightModule.forRoot({ logger: silent, graceMs: 20, approver })],
    providers: [Careful, Desk],
  }).compile();
  await nest.init();
  const { app } = nest.get(Toolwright);
  void app.invoke(await app.prompt(Desk).render(), 'act', {}).catch(() => undefined);
  await waiting;
  await nest.close();
  await expect(app.invoke(await app.prompt(Desk).render(), 'act', {})).rejects.toThrow(/E410/);
});

test('a resource that fails to close fails the shutdown, and an application that never began closes', async () => {
  class Store {}
  const resources = [
    bind(Store, {
      provide: () => new Store(),
      eager: true,
      close: () => {
        throw new Error('disk full');
      },
    }),
  ];
  const { nest } = await start({ resources });
  await expect(nest.close()).rejects.toThrow(/E908 .*disk full|disk full/);

  const unused = await Test.createTestingModule({ imports: [ToolwrightModule.forRoot()] }).compile();
  await expect(unused.get(Toolwright).onModuleDestroy()).resolves.toBeUndefined();
});

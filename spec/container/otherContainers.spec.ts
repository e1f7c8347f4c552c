import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as Inversify from 'inversify';
import { type Constructor, createApplication, definePrompt, Section, Tool } from 'toolwright';
import { type ContainerAdapter, PlainContainer } from 'toolwright/adapters';
import { container as rootContainer, injectable, singleton } from 'tsyringe';
import { containerContract, type ContainerKit } from '../../packages/contracts/spec/container.contract.js';
import { separateContainersContract } from '../../packages/contracts/spec/separateContainers.contract.js';
import { viteBuild } from '../toolchain/support/vite.js';

type Class = new (...args: unknown[]) => object;

let inversify: typeof Inversify;
const build = resolve(__dirname, '../../build');
mkdirSync(build, { recursive: true });
const folder = mkdtempSync(join(build, 'inversify-'));

// inversify is an ES module, which jest's own loader cannot take: it gets a CommonJS bundle of it.
beforeAll(async () => {
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
  writeFileSync(join(folder, 'src/main.ts'), "export * from 'inversify';");
  const ssr = { noExternal: true as const, external: ['reflect-metadata'] };
  expect(await viteBuild({ folder, format: 'cjs', ssr })).toEqual(['']);
  inversify = jest.requireActual<typeof Inversify>(join(folder, 'out/main.js'));
}, 60_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('an adapter of one line, as an application writes it', () => {
  const lines = {
    tsyringe: () => {
      const container = rootContainer.createChildContainer();
      const adapter: ContainerAdapter = { get: (type) => container.resolve(type as never) };
      return { adapter, service: singleton, section: injectable };
    },
    inversify: () => {
      const container = new inversify.Container({ defaultScope: 'Singleton', autobind: true });
      const adapter: ContainerAdapter = { get: (type) => container.get(type as never) };
      return { adapter, service: inversify.injectable, section: inversify.injectable };
    },
    'inversify, asynchronously': () => {
      const container = new inversify.Container({ defaultScope: 'Singleton', autobind: true });
      const adapter: ContainerAdapter = { get: (type) => container.getAsync(type as never) };
      return { adapter, service: inversify.injectable, section: inversify.injectable };
    },
  };

  test.each(Object.entries(lines))('%s builds the sections and shares their services', async (_name, open) => {
    const { adapter, service, section } = open();
    @service()
    class Counter {
      count = 0;
    }
    @section()
    @Section({ title: 'Left' })
    class Left {
      constructor(readonly counter: Counter) {}
      @Tool('Counts.') count(): number {
        return ++this.counter.count;
      }
    }
    @section()
    @Section({ title: 'Right' })
    class Right {
      constructor(readonly counter: Counter) {}
      @Tool('Reads.') read(): number {
        return this.counter.count;
      }
    }
    const desk = definePrompt({ ns: 'n', key: 'k', sections: [Left, Right] });
    const app = await createApplication({ prompts: [desk], container: adapter });
    const rendered = await app.prompt(desk).render();
    await app.invoke(rendered, 'count', {});
    expect((await app.invoke(rendered, 'read', {})).text).toBe('1');
  });

  test.each(Object.entries(lines))(
    '%s refuses with its own message: E401 at creation with the section',
    async (_name, open) => {
      const { adapter, service, section } = open();
      @service()
      class Repository {
        constructor(readonly url: string) {}
      }
      @section()
      @Section({ title: 'Desk' })
      class DeskSection {
        constructor(readonly repository: Repository) {}
      }
      const desk = definePrompt({ ns: 'n', key: 'k', sections: [DeskSection] });
      await expect(createApplication({ prompts: [desk], container: adapter })).rejects.toMatchObject({
        name: 'ContainerError',
        code: 'E401',
        place: 'DeskSection',
        cause: expect.any(Error) as unknown,
        message: expect.stringMatching(/the container threw: .*(Repository|String)/s) as unknown,
      });
    },
  );
});

// The contract asks for more than those lines provide:
// - Every refusal is an E401 or E402 with the path to the fault. These containers throw their own errors, and over a
//   circle tsyringe takes seconds. `explained` looks for circles first, and lets PlainContainer, which walks the same
//   constructors, say what is wrong. (It runs constructors again, so it is for what failed already.)
// - A class needs no decorator but ours. These two want their own: it is put on when the class is asked for. They read
//   types when it runs, and the contract says some types after a class was declared, so services wait as well.
// - Inherited constructors count. inversify wants to be told so with `injectFromBase`.

const typesOf = (type: unknown): readonly unknown[] =>
  typeof type === 'function' ? ((Reflect.getMetadata('design:paramtypes', type) ?? []) as readonly unknown[]) : [];

const hasCircle = (type: unknown, path: readonly unknown[] = []): boolean =>
  path.includes(type) || typesOf(type).some((parameter) => hasCircle(parameter, [...path, type]));

function explained(resolveClass: (type: Class) => unknown): ContainerAdapter {
  return {
    get<T extends object>(type: Constructor<T>): T {
      if (hasCircle(type)) return new PlainContainer().get(type);
      try {
        return resolveClass(type as unknown as Class) as T;
      } catch (cause) {
        new PlainContainer().get(type);
        throw cause;
      }
    },
  };
}

/** A kit whose services are registered when something is asked for. */
function lateKit(register: (type: Class) => void, resolveClass: (type: Class) => unknown): ContainerKit {
  const waiting = new Set<Class>();
  const adapter = explained((type) => {
    for (const each of waiting.add(type)) register(each);
    waiting.clear();
    return resolveClass(type);
  });
  return { adapter, service: () => (type) => void waiting.add(type as unknown as Class) };
}

function openTsyringe(): ContainerKit {
  const container = rootContainer.createChildContainer();
  const register = (type: Class): void => {
    if (container.isRegistered(type)) return;
    injectable()(type);
    container.registerSingleton(type);
  };
  return lateKit(register, (type) => container.resolve(type));
}

const injectables = new WeakSet();

function openInversify(): ContainerKit {
  let container: Inversify.Container | undefined;
  const register = (type: Class): void => {
    if (injectables.has(type)) return;
    inversify.injectable()(type);
    const base: unknown = Object.getPrototypeOf(type);
    if (base !== Function.prototype && !Reflect.hasOwnMetadata('design:paramtypes', type)) {
      register(base as Class);
      inversify.injectFromBase()(type);
    }
    injectables.add(type);
  };
  return lateKit(register, (type) => {
    container ??= new inversify.Container({ defaultScope: 'Singleton', autobind: true });
    return container.get(type);
  });
}

/** A container of the application's own that takes its time. */
function openSlow(): ContainerKit {
  const plain = new PlainContainer();
  const adapter: ContainerAdapter = {
    get: async (type) => {
      await Promise.resolve();
      return plain.get(type);
    },
  };
  return { adapter, service: () => () => undefined };
}

for (const [name, open] of Object.entries({ tsyringe: openTsyringe, inversify: openInversify, promises: openSlow })) {
  containerContract(name, open);
  separateContainersContract(name, open);
}

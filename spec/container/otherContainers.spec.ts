import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type * as Inversify from 'inversify';
import { PlainContainer, type Constructor, type ContainerAdapter } from 'toolwright';
import { container as tsyringe, injectable, type DependencyContainer } from 'tsyringe';
import { containerContract, type ContainerKit } from '../contracts/container.contract.js';
import { separateContainersContract } from '../contracts/separateContainers.contract.js';
import { viteBuild } from '../toolchain/support/vite.js';

let inversify: typeof Inversify;
const folder = mkdtempSync(join(resolve(__dirname, '../../build'), 'inversify-'));
beforeAll(async () => {
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
  writeFileSync(join(folder, 'src/main.ts'), "export * from 'inversify';");
  expect(await viteBuild({ folder, format: 'cjs', ssr: { noExternal: true, external: ['reflect-metadata'] } })).toEqual(['']);
  // eslint-disable-next-line
  inversify = require(join(folder, 'out/main.js'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function hasCircle(type: unknown, path: readonly unknown[] = []): boolean {
  if (path.includes(type)) return true;
  if (typeof type !== 'function') return false;
  const parameters = (Reflect.getMetadata('design:paramtypes', type) ?? []) as readonly unknown[];
  return parameters.some((parameter) => hasCircle(parameter, [...path, type]));
}
function explained(get: <T extends object>(type: Constructor<T>) => T): ContainerAdapter {
  return {
    get<T extends object>(type: Constructor<T>): T {
      if (hasCircle(type)) return new PlainContainer().get(type);
      try {
        return get(type);
      } catch (cause) {
        new PlainContainer().get(type);
        throw cause;
      }
    },
  };
}

function openTsyringe(): ContainerKit {
  const container: DependencyContainer = tsyringe.createChildContainer();
  const services: (new (...args: never[]) => object)[] = [];
  const register = (type: new (...args: never[]) => object): void => {
    const token = type as new (...args: unknown[]) => object;
    if (container.isRegistered(token)) return;
    injectable()(token);
    container.registerSingleton(token);
  };
  return {
    service: () => (type) => void services.push(type),
    adapter: explained((type) => {
      [...services, type].forEach(register);
      return container.resolve(type as never);
    }),
  };
}

containerContract('tsyringe', openTsyringe);
separateContainersContract('tsyringe', openTsyringe);

const known = new WeakSet();
function openInversify(): ContainerKit {
  let container: Inversify.Container | undefined;
  const services: (new (...args: never[]) => object)[] = [];
  const register = (type: new (...args: never[]) => object): void => {
    if (known.has(type)) return;
    known.add(type);
    inversify.injectable()(type);
  };
  return {
    service: () => (type) => void services.push(type),
    adapter: explained((type) => {
      container ??= new inversify.Container({ defaultScope: 'Singleton', autobind: true });
      [...services, type].forEach(register);
      return container.get(type as never);
    }),
  };
}
containerContract('inversify', openInversify);
separateContainersContract('inversify', openInversify);

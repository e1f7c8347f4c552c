// Checked by the compiler only (`npm run typecheck`): code under @ts-expect-error must not compile, the rest must.
import { bind, type Application } from 'toolwright';
import type { ResourceScope } from 'toolwright/resources';

class Store {
  rows: readonly string[] = [];
}
abstract class Port {
  abstract read(): string;
}
class Memory extends Port {
  override read(): string {
    return '';
  }
}

declare function drop(rows: readonly string[]): void;

/** Every way to bind a resource that must compile, and those that must not. */
export const resources = [
  bind(Store, { value: new Store() }),
  bind(Store, { value: new Store(), close: (store) => drop(store.rows) }),
  bind(Store, { provide: () => new Store() }),
  bind(Store, { provide: async () => new Store(), eager: true, close: async (store) => drop(store.rows) }),
  bind(Store, { scope: 'toolCall', eager: undefined, provide: async (scope) => scope.resolve(Store) }),
  bind(Store, { scope: 'prototype', provide: (scope) => scope.get(Store) }),
  bind(Port, { value: new Memory() }),
  bind(Port, { provide: async () => new Memory() }),
  // @ts-expect-error: another class
  bind(Store, { value: 'rows' }),
  // @ts-expect-error: a promise of another class
  bind(Store, { provide: async () => 'rows' }),
  // @ts-expect-error: the taker of a prototype closes it
  bind(Store, { scope: 'prototype', provide: () => new Store(), close: () => undefined }),
  // @ts-expect-error: a prototype is created for each taker
  bind(Store, { scope: 'prototype', provide: () => new Store(), eager: true }),
  // @ts-expect-error: there is no such scope
  bind(Store, { scope: 'request', provide: () => new Store() }),
];

/** Resources come with their types. */
export async function scopes(scope: ResourceScope, app: Application): Promise<readonly unknown[]> {
  await using also = app;
  const rows: readonly string[] = scope.get(Store).rows;
  const text: string = (await also.resources.resolve(Port)).read();
  // @ts-expect-error: not there yet
  const early: unknown = scope.resolve(Store).rows;
  return [rows, text, early];
}

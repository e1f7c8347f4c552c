import type { Awaitable, Constructor } from '../common/types.js';

/** Port to a DI container: gives the instance of a class. Singletons are asked for once, when the application is created. */
export interface ContainerAdapter {
  get<T extends object>(type: Constructor<T>): Awaitable<T>;
}

import { type Application, bind, createApplication, type Logger } from 'toolwright';
import { fromTypedi } from 'toolwright/adapters';
import type { Approver, Interceptor } from 'toolwright/policies';
import type { ResourceBinding } from 'toolwright/resources';
import { Container } from 'typedi';
import { RetailDesk } from './RetailDesk.js';
import { CatalogueRepository } from './store/CatalogueRepository.js';
import { OrderRepository } from './store/OrderRepository.js';
import { RetailStore } from './store/RetailStore.js';
import { UserRepository } from './store/UserRepository.js';

export interface RetailOptions {
  /** Id of a typedi container of its own; the global one when left out. */
  readonly containerId?: string | undefined;
  /** Logs every failed call; the console when left out. */
  readonly logger?: Logger | undefined;
  /** Decides about large refunds; without one they are refused. */
  readonly approver?: Approver | undefined;
  /** Wrap every call. */
  readonly interceptors?: readonly Interceptor[] | undefined;
}

/** Prints only errors. For programs that show or count failed calls themselves, which are logged as warnings. */
export const quietLogger: Logger = { debug: silence, info: silence, warn: silence, error: console.error };

function silence(): void {}

/**
 * Creates the desk over a store. Stateless services come from the DI container. State that a failed call must not change is a
 * resource: the store is one for the whole application; repositories are created for each call, over its overlay of the store.
 */
export function createRetailApplication(store: RetailStore, options: RetailOptions = {}): Promise<Application> {
  return createApplication({
    prompts: [RetailDesk],
    container: fromTypedi(Container, { id: options.containerId }),
    logger: options.logger,
    interceptors: options.interceptors,
    approver: options.approver,
    fieldNames: 'snake_case',
    resources: retailResources(store),
  });
}

/** Returns the resources of the desk, for an application with another container. */
export function retailResources(store: RetailStore): readonly ResourceBinding[] {
  return [
    bind(RetailStore, { value: store }),
    bind(OrderRepository, { scope: 'toolCall', provide: (scope) => new OrderRepository(scope.get(RetailStore)) }),
    bind(UserRepository, { scope: 'toolCall', provide: (scope) => new UserRepository(scope.get(RetailStore)) }),
    bind(CatalogueRepository, {
      scope: 'toolCall',
      provide: (scope) => new CatalogueRepository(scope.get(RetailStore)),
    }),
  ];
}

import { bind, createApplication, type Application, type Transactional } from 'toolwright';
import { fromTypedi } from 'toolwright/containers';
import { failAtWrite } from 'toolwright/testing';
import { Container } from 'typedi';
import { quietLogger } from '../../../samples/20-retail-desk/application.js';
import { RetailDesk } from '../../../samples/20-retail-desk/RetailDesk.js';
import { unsupervised } from '../../../samples/20-retail-desk/services/Supervisor.js';
import { CatalogueRepository } from '../../../samples/20-retail-desk/store/CatalogueRepository.js';
import { OrderRepository } from '../../../samples/20-retail-desk/store/OrderRepository.js';
import type { RetailStore } from '../../../samples/20-retail-desk/store/RetailStore.js';
import { tableNames, type TableName } from '../../../samples/20-retail-desk/store/rows.js';
import { UserRepository } from '../../../samples/20-retail-desk/store/UserRepository.js';

/** The store with all its writes as one method, so that those to different tables are counted together. */
class WriteCounter implements Transactional<WriteCounter> {
  constructor(readonly store: RetailStore) {}

  begin(): WriteCounter {
    return new WriteCounter(this.store.begin());
  }

  commit(overlay: WriteCounter): void {
    this.store.commit(overlay.store);
  }

  conflicts(overlay: WriteCounter): boolean {
    return this.store.conflicts(overlay.store);
  }

  write(table: TableName, id: string, row: object): object {
    this.store[table].set(id, row as never);
    return row;
  }
}

/** The desk over a store whose n-th write in each call fails, whichever table it goes to. */
export function deskFailingAtWrite(store: RetailStore, n: number): Promise<Application> {
  return createApplication({
    prompts: [RetailDesk],
    container: fromTypedi(Container),
    logger: quietLogger,
    approver: unsupervised,
    fieldNames: 'snake_case',
    resources: [
      bind(WriteCounter, { value: failAtWrite(new WriteCounter(store), n) }),
      ...[OrderRepository, UserRepository, CatalogueRepository].map((Repository) =>
        bind<OrderRepository | UserRepository | CatalogueRepository>(Repository, {
          scope: 'toolCall',
          provide: (scope) => new Repository(counted(scope.get(WriteCounter))),
        }),
      ),
    ],
  });
}

/** The overlay as repositories take it: each `put` of a table goes through `write`. */
function counted(counter: WriteCounter): RetailStore {
  const table = (name: TableName) => {
    const { store } = counter;
    return {
      get: (id: string) => store[name].get(id),
      values: () => store[name].values(),
      [Symbol.iterator]: () => store[name].entries(),
      set: (id: string, row: object) => counter.write(name, id, row),
    };
  };
  return Object.fromEntries(tableNames.map((name) => [name, table(name)])) as unknown as RetailStore;
}

import type { Clock, IdSource } from '../interface/ports.js';
import type { ReducerContext } from '../interface/SliceOp.js';

/** Time and id of one event; creates the id on first use, since most reducers do not need it. */
export class EventContext implements ReducerContext {
  readonly time: number;
  readonly #ids: IdSource;
  #id: string | undefined;

  constructor(clock: Clock, ids: IdSource) {
    this.time = clock.now();
    this.#ids = ids;
  }

  get id(): string {
    return (this.#id ??= this.#ids());
  }
}

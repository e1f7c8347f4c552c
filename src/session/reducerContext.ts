import type { Clock } from '../interface/Clock.js';
import type { IdSource } from '../interface/IdSource.js';
import type { ReducerContext } from '../interface/SliceOp.js';

/** Time and id of one event; the id is created on first use, since most reducers do not need it. */
export function reducerContext(clock: Clock, ids: IdSource): ReducerContext {
  const time = clock.now();
  let id: string | undefined;
  return {
    time,
    get id(): string {
      return (id ??= ids());
    },
  };
}

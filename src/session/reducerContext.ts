import type { Clock } from '../interface/Clock.js';
import type { IdSource } from '../interface/IdSource.js';
import type { ReducerContext } from '../interface/SliceOp.js';

/** Time and id of one event; the id is made when a reducer first asks for it, since most do not. */
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

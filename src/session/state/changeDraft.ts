import { ignoreRejection, isThenable } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import { LatePackage } from '../../common/LatePackage.js';
import { describeValue } from '../../common/text.js';
import { SessionError } from '../../error/infrastructureErrors.js';
import type { Draft } from '../../interface/SessionPort.js';

export const mutative = new LatePackage('mutative', () => import('mutative'));

/**
 * Lets a function change a draft of a value, and returns the new value. Instances keep their classes, unchanged parts are shared
 * with the old value, and a value without changes is returned itself.
 *
 * @throws SessionError E802 if the change returns a promise, since the draft ends with the call
 */
export function changeDraft<T>(value: T, change: (draft: Draft<T>) => unknown, place: string): T {
  if (!isObject(value)) throw createNotDraftableError(value, place);
  return mutative.get().create(
    value,
    (draft) => {
      const returned = change(draft as Draft<T>);
      if (!isThenable(returned)) return;
      ignoreRejection(returned);
      throw new SessionError('the change of an update returned a promise', {
        code: 'E802',
        place,
        remedy: 'Make it synchronous: await asynchronous work before the update.',
      });
    },
    // Instances of classes; the library handles plain objects and lists.
    { mark: (_target, { immutable }) => immutable },
  );
}

export function createNothingToUpdateError(place: string): SessionError {
  return new SessionError('the slice has no value that could be updated', {
    code: 'E802',
    place,
    remedy: 'Seed the slice, or give it an initial state: new Session({ slices: [{ type, initial }] }).',
  });
}

function createNotDraftableError(value: unknown, place: string): SessionError {
  return new SessionError(`only objects can be updated in place, and the slice holds ${describeValue(value)}`, {
    code: 'E802',
    place,
    remedy: 'Seed the slice with the new value.',
  });
}

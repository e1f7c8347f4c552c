import type { Constructor } from '../../common/types.js';
import type { SliceOp } from '../../interface/SliceOp.js';
import { Reducer as ExperimentalReducer } from '../Reducer.js';
import type { MethodContext } from './checkedTypes.js';
import { recordLater, requireCall } from './recordLater.js';

/** The decorator of a method, returned by `@Reducer` of `toolwright/es`. */
export type StandardReducerDecorator<E extends object> = <S extends object, H extends (event: E) => SliceOp<S>>(
  method: H,
  context: MethodContext & { readonly access: { has(object: S): boolean } },
) => void;

/**
 * Declares a method of a state class as the reducer of one event. `session.install` registers it.
 *
 * @param event thunk of the event class
 * @throws PromptValidationError E115, E116
 * @example
 * @Reducer(() => AddStep)
 * addStep(event: AddStep): SliceOp<Plan> { … }
 */
export function Reducer<E extends object>(event: () => Constructor<E>): StandardReducerDecorator<E>;
export function Reducer(event: () => Constructor, second?: unknown): (value: unknown, context: unknown) => void {
  requireCall('Reducer', second);
  const declare = ExperimentalReducer(event) as unknown as (prototype: object, member: string | symbol) => void;
  return (_value, context) => {
    recordLater('Reducer', context, ['method'], (type) => {
      declare(type.prototype as object, (context as MethodContext).name);
    });
  };
}

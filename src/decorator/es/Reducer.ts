import type { Constructor } from '../../common/types.js';
import type { SliceOp } from '../../interface/SliceOp.js';
import { Reducer as ExperimentalReducer } from '../Reducer.js';
import { adaptDecorator } from './adaptDecorator.js';
import type { MemberContext } from './checkedTypes.js';

/**
 * Declares a method of a state class as the reducer of one event.
 *
 * @param event thunk of the event class
 * @throws PromptValidationError E115, E116
 */
export function Reducer<E extends object>(
  event: () => Constructor<E>,
): <S extends object, H extends (event: E) => SliceOp<S>>(method: H, context: MemberContext<'method', S>) => void;
export function Reducer(...given: readonly unknown[]): (value: unknown, context: unknown) => void {
  return adaptDecorator('Reducer', ['method'], given, ExperimentalReducer);
}

import type { Awaitable } from '../../common/types.js';
import type { ToolCall } from '../../value/ToolCall.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import { mayRunTogether } from '../admit/admitCall.js';
import { Sequencer } from '../admit/Sequencer.js';
import type { Placement, DispatchContext } from '../DispatchContext.js';
import type { NestedDispatch } from './HandlerContext.js';
import type { IncomingCall } from '../admit/IncomingCall.js';
import type { OpenCall } from './OpenCall.js';

/** Runs one call, as `ToolDispatcher.dispatch` does. */
export type Dispatch = (call: ToolCall, run: DispatchContext, place: Placement) => Awaitable<ToolOutcome>;

/** Creates the function that runs the calls of a handler or its program, each as a savepoint of the handler's own call. */
export function createNestedDispatch(
  dispatch: Dispatch,
  { run, place }: IncomingCall,
  parentCall: OpenCall,
): NestedDispatch {
  const { turn = 1, position = '0' } = place;
  let order: Sequencer | undefined;
  let begun = 0;
  return (call, ofProgram) => {
    const tool = ofProgram?.tool ?? run.rendered.findCallable(call.name);
    const caller = ofProgram === undefined ? 'direct' : 'program';
    const program = ofProgram?.programCaller ?? place.program;
    const here: Placement = { parentCall, turn, position: `${position}.${String(begun++)}`, caller, program, tool };
    order ??= new Sequencer();
    return order.run(tool !== undefined && mayRunTogether(tool), () =>
      dispatch(call, ofProgram === undefined ? run : { ...run, signal: ofProgram.signal }, here),
    );
  };
}

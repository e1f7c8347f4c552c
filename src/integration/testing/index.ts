export { FakeClock } from './FakeClock.js';
export { ScriptedModel, type ScriptedCall, type ScriptedTurn, type ScriptStep } from './ScriptedModel.js';
export { failAfter, failAtWrite, InjectedFailure, type FailAfterOptions } from './failures.js';
export { ReplayModel } from './ReplayModel.js';

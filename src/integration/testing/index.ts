export { FakeClock } from './FakeClock.js';
export { ScriptedModel, type ScriptedCall, type ScriptedTurn, type ScriptStep } from './ScriptedModel.js';

export { expectStablePrefix, type PrefixReport } from './expectStablePrefix.js';
export { FakeClock } from './FakeClock.js';
export {
  ScriptedModel,
  type ScriptedCall,
  type ScriptedModelOptions,
  type ScriptedTurn,
  type ScriptStep,
} from './ScriptedModel.js';
export { failAfter, InjectedFailure, type FailAfterOptions, type FailingInterceptor } from './failAfter.js';
export { failAtWrite, type FailAtWriteOptions } from './failAtWrite.js';
export { ReplayDivergenceError, type Divergence } from './ReplayDivergenceError.js';
export { ReplayModel, type ReplayOptions } from './ReplayModel.js';

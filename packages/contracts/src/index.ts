// Contract suites for adapters of models, stores and engines of runs, and sandboxes of programs.
export type {
  AdapterKit,
  OpenAdapterKit,
  ProviderToolUse,
  ProviderTurn,
  ProviderUsage,
  ReceivedByProvider,
} from './AdapterKit.js';
export { modelAdapterContract, type AdapterCheck } from './modelAdapterContract.js';
export type { StoreCheck, StoreKit } from './StoreKit.js';
export { runStoreContract } from './runStoreContract.js';
export type { EngineKit } from './EngineBench.js';
export { runEngineContract } from './runEngineContract.js';
export type { EngineCheck } from './sandbox/EngineCheck.js';
export { EngineCheckError } from './sandbox/EngineCheck.js';
export { engineChecks, engineConformance, type EngineVerdict } from './sandbox/engineConformance.js';

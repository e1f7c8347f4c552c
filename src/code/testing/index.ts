export type { EngineCheck } from './EngineCheck.js';
export { EngineCheckError } from './EngineCheckError.js';
export { engineChecks, engineConformance, type EngineVerdict } from './engineConformance.js';

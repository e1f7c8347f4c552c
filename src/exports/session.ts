// Slices, reducers and visibility overrides of a session.
export type { Draft, SessionPort, SlicePort, StateTable } from '../interface/SessionPort.js';
export type { ReducerFunction, ReducerContext, SliceView } from '../interface/SliceOp.js';
export { appendAll, replaceLatest, replaceLatestBy, upsertBy } from '../session/reducers.js';
export type { RegistrableSlice, SessionFromJsonOptions, SessionToJsonOptions } from '../session/Session.js';
export type { SliceDeclaration } from '../session/SliceRegistry.js';
export { VisibilityOverrides } from '../session/VisibilityOverrides.js';
export {
  ClearAllVisibilityOverrides,
  ClearVisibilityOverride,
  SetVisibilityOverride,
} from '../session/visibilityEvents.js';
export type { SlicePolicy } from '../session/SliceRules.js';

import type { Constructor } from '../common/types.js';
import { PolicyRecord } from './PolicyRecord.js';
import { SliceRules, type SlicePolicy } from './slice/SliceRules.js';
import { VisibilityOverrides } from './VisibilityOverrides.js';

interface BuiltInSlice {
  readonly type: Constructor;
  readonly name: string;
  readonly policy: SlicePolicy;
}

/** The slices of the framework, which every session has, so that a session of a conversation can always be recorded. */
export const builtInSlices: readonly BuiltInSlice[] = [
  { type: VisibilityOverrides, name: 'VisibilityOverrides', policy: 'state' },
  { type: PolicyRecord, name: 'PolicyRecord', policy: 'state' },
];

/** The reducers of the built-in slices, read once and copied to each session. */
export const builtInRules = new SliceRules();
for (const { type, policy } of builtInSlices) builtInRules.install(type, undefined, policy);

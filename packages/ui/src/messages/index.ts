// Types for front ends, which have the package `ai`.
export type { UiData, UiMessageOf } from './UiMessageOf.js';

import type { CHANGE_KINDS } from '../options.js';

/** A difference between a recorded run and its replay with the present application. */
export interface RunChange {
  readonly kind: (typeof CHANGE_KINDS)[number];
  /** The part that differs, such as `section orders`, `find_order` or `slice Order`. */
  readonly where: string;
  readonly what: string;
  /** Excerpts of both values around the difference; undefined if `what` says everything. */
  readonly recorded?: string | undefined;
  readonly now?: string | undefined;
  /** The line of the bundle that holds the recorded part, from 1. */
  readonly line: number;
}

/** The changes of one recorded run. */
export interface RunReport {
  /** The bundle, relative to the working folder, with `/`. */
  readonly file: string;
  /** The line with which the run begins, from 1. */
  readonly line: number;
  readonly run: string;
  /** The id of its conversation; null for a run without one. */
  readonly conversation: string | null;
  /** `ns/key`. */
  readonly prompt: string;
  readonly changes: readonly RunChange[];
  /** The names of tools with calls that were answered from the record: their handlers did not run. */
  readonly fromRecord: readonly string[];
}

/** A bundle that could not be read, or a run that could not be replayed. */
export interface RunProblem {
  readonly file: string;
  readonly line: number;
  readonly run?: string | undefined;
  readonly code: string;
  readonly message: string;
  readonly remedy?: string | undefined;
  /** `note` for a run that no edit can make replayable, such as a cancelled one. */
  readonly level: 'error' | 'note';
}

import { findRemedy, type ErrorCode } from './remedies.js';

/** One fault of a declaration, with its place and remedy. All faults are reported together. */
export interface Finding {
  readonly code: ErrorCode;
  /** Name of the invalid class. */
  readonly className?: string | undefined;
  /** Name of the invalid method or property. */
  readonly member?: string | undefined;
  /** `Class.member` or a section path, as the message shows it. */
  readonly place: string;
  readonly problem: string;
  readonly remedy: string;
  readonly sectionPath?: string | undefined;
  readonly toolName?: string | undefined;
  /** Name of the affected params class. */
  readonly paramsType?: string | undefined;
  /** The invalid placeholder, name or option. */
  readonly placeholder?: string | undefined;
}

/** The parts of a finding beside its problem. By default, the code decides the remedy. */
export interface FindingDetails extends Partial<Omit<Finding, 'code' | 'problem' | 'remedy'>> {
  readonly remedy?: string | undefined;
}

/** A fault whose place is known to the caller. */
export type Fault = Pick<Finding, 'code' | 'problem'>;

/** Creates a finding, by default with the remedy of its code. */
export function createFinding(
  code: ErrorCode,
  problem: string,
  details: FindingDetails & { readonly place: string },
): Finding {
  return { ...details, code, problem, remedy: details.remedy ?? findRemedy(code) };
}

import { codes, type ErrorCode } from './codes.js';
import { report } from './ToolwrightError.js';

/** One fault of a declaration: what, where, and what to do. Many are reported at once. */
export interface Finding {
  readonly code: ErrorCode;
  /** The class at fault, by name. */
  readonly className?: string | undefined;
  /** The method or property at fault. */
  readonly member?: string | undefined;
  /** `Class.member`, or a section path: what stands in the message. */
  readonly place: string;
  readonly problem: string;
  readonly remedy: string;
  readonly sectionPath?: string | undefined;
  readonly toolName?: string | undefined;
  /** Name of the params class that is concerned. */
  readonly paramsType?: string | undefined;
  /** The placeholder, name or option at fault. */
  readonly placeholder?: string | undefined;
}

/** Makes a finding; the remedy is the code's own unless a better one is given. */
export function finding(
  code: ErrorCode,
  problem: string,
  details: Partial<Omit<Finding, 'code' | 'problem'>> & { readonly place: string },
): Finding {
  return { ...details, code, problem, remedy: details.remedy ?? codes[code].remedy };
}

/** A finding as the two lines that a developer reads. */
export function findingText(found: Finding): string {
  return report(found.problem, found);
}

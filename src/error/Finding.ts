import { remedies, type ErrorCode } from './remedies.js';
import { formatMessage } from './ToolwrightError.js';

/** One fault of a declaration: problem, place and remedy. All faults are reported together. */
export interface Finding {
  readonly code: ErrorCode;
  /** The class at fault, by name. */
  readonly className?: string | undefined;
  /** The method or property at fault. */
  readonly member?: string | undefined;
  /** `Class.member`, or a section path, as shown in the message. */
  readonly place: string;
  readonly problem: string;
  readonly remedy: string;
  readonly sectionPath?: string | undefined;
  readonly toolName?: string | undefined;
  /** Name of the affected params class. */
  readonly paramsType?: string | undefined;
  /** The placeholder, name or option at fault. */
  readonly placeholder?: string | undefined;
}

/** Creates a finding; the remedy of the code is the default. */
export function createFinding(
  code: ErrorCode,
  problem: string,
  details: Partial<Omit<Finding, 'code' | 'problem'>> & { readonly place: string },
): Finding {
  return { ...details, code, problem, remedy: details.remedy ?? remedies[code] };
}

/** Formats a finding as the two lines shown to a developer. */
export function formatFinding(found: Finding): string {
  return formatMessage(found.problem, found);
}

import { brand } from '../common/brand.js';
import { formatMessage, ToolwrightError, type ErrorDetails } from './ToolwrightError.js';
import type { Finding } from './Finding.js';
import type { ProviderFailure } from './ProviderFailure.js';

/** Base of the errors that concern a prompt: its declaration, its rendering, its evaluation. */
export class PromptError extends ToolwrightError {}
brand(PromptError, 'PromptError');

/** Creates an error whose message has its code, its place and its remedy. */
export function createPromptError(problem: string, details: ErrorDetails): PromptError {
  return new PromptError(formatMessage(problem, details), details);
}

/**
 * Declarations are invalid or contradictory. Thrown when the application is created, with every fault in `findings`.
 * `sectionPath`, `toolName`, `paramsType` and `placeholder` describe the first fault (docs/contract.md, 3).
 */
export class PromptValidationError extends PromptError {
  readonly findings: readonly Finding[];
  readonly sectionPath: string | undefined;
  readonly toolName: string | undefined;
  readonly paramsType: string | undefined;
  readonly placeholder: string | undefined;

  constructor(findings: readonly [Finding, ...Finding[]]) {
    const [first] = findings;
    const count = findings.length === 1 ? '1 fault' : `${String(findings.length)} faults`;
    const messages = findings.map((found) => formatMessage(found.problem, found));
    super(`${count} in the declarations:\n\n${messages.join('\n')}`, first);
    this.findings = findings;
    this.sectionPath = first.sectionPath;
    this.toolName = first.toolName;
    this.paramsType = first.paramsType;
    this.placeholder = first.placeholder;
    // The message lists every finding. A process that ends with this error would print all of them a second time.
    Object.defineProperty(this, 'findings', { enumerable: false });
  }
}
brand(PromptValidationError, 'PromptValidationError');

/** Details of a rendering error: the section, and the affected params class or placeholder. */
export interface RenderErrorDetails extends ErrorDetails {
  readonly sectionPath: string;
  readonly paramsType?: string | undefined;
  readonly placeholder?: string | undefined;
}

/** A section could not be rendered: missing params, a failing hook, an undefined value (docs/contract.md, 3-4). */
export class PromptRenderError extends PromptError {
  readonly sectionPath: string;
  readonly paramsType: string | undefined;
  readonly placeholder: string | undefined;

  constructor(problem: string, details: RenderErrorDetails) {
    super(formatMessage(problem, { ...details, place: details.place ?? details.sectionPath }), details);
    this.sectionPath = details.sectionPath;
    this.paramsType = details.paramsType;
    this.placeholder = details.placeholder;
  }
}
brand(PromptRenderError, 'PromptRenderError');

/** The phase in which an evaluation stopped: before a request, in the answer, in a tool call, or at a limit. */
export type EvaluationPhase = 'request' | 'response' | 'tool' | 'budget';

/** Details of an error that ends a run. */
export interface EvaluationErrorDetails extends Partial<ErrorDetails> {
  readonly phase: EvaluationPhase;
  readonly failure?: ProviderFailure | undefined;
}

/** A run cannot continue. `phase` says where it stopped (docs/contract.md, 7 and 16). */
export class PromptEvaluationError extends PromptError {
  readonly phase: EvaluationPhase;
  /** Set by an adapter if another provider may answer: `fallback` then goes on with the next adapter. */
  readonly failure: ProviderFailure | undefined;

  constructor(problem: string, details: EvaluationErrorDetails) {
    super(problem, { ...details, code: details.code ?? 'E701' });
    this.phase = details.phase;
    this.failure = details.failure;
  }
}
brand(PromptEvaluationError, 'PromptEvaluationError');

/**
 * Creates an error whose message has its code, its place and its remedy.
 *
 * @param details `phase` is `request` by default: the run could not begin or go on
 */
export function createEvaluationError(
  problem: string,
  details: ErrorDetails & Partial<EvaluationErrorDetails>,
): PromptEvaluationError {
  return new PromptEvaluationError(formatMessage(problem, details), { phase: 'request', ...details });
}

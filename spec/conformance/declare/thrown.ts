import {
  DeadlineExceededError,
  OutputParseError,
  PromptEvaluationError,
  PromptRenderError,
  PromptValidationError,
  ToolValidationError,
  VisibilityExpansionRequired,
} from 'toolwright';
import { CircularDependencyError } from 'toolwright/adapters';
import { DuplicateBindingError, ProviderError, UnboundResourceError } from 'toolwright/resources';

/** Makes the exception that a handler throws; the format has defaults for what a case omits. */
type Thrower = (message: string) => unknown;

const throwers: Readonly<Record<string, Thrower>> = {
  TypeError: (message) => new TypeError(message),
  PromptValidationError: (problem) =>
    new PromptValidationError([{ code: 'E301', place: 'handler', problem, remedy: 'None.' }]),
  PromptRenderError: (problem) => new PromptRenderError(problem, { code: 'E502', sectionPath: 'a' }),
  PromptEvaluationError: (message) => new PromptEvaluationError(message, { phase: 'request' }),
  VisibilityExpansionRequired: () =>
    new VisibilityExpansionRequired({ sectionKeys: ['a'], reason: 'r', requestedOverrides: { a: 'full' } }),
  OutputParseError: (rawText) => new OutputParseError({ expected: 'O', rawText, issues: [] }),
  ToolValidationError: (message) => new ToolValidationError(message),
  DeadlineExceededError: (message) => new DeadlineExceededError(message),
  UnboundResourceError: (message) => new UnboundResourceError(message, []),
  CircularDependencyError: (message) => new CircularDependencyError([message, message]),
  DuplicateBindingError: (message) => new DuplicateBindingError(message),
  ProviderError: (message) => new ProviderError('Resource', message),
};

/** The exception of that symbolic name; those of the reference's language are ordinary errors here. */
export function thrownBy(name: string, message: string): unknown {
  const thrower = Object.hasOwn(throwers, name) ? throwers[name] : undefined;
  return thrower === undefined ? Object.assign(new Error(message), { name }) : thrower(message);
}

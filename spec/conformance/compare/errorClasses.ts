import { unknownWord } from '../ConformanceFault';

/** Classes that are called here as the cases call them. */
const libraryClasses: ReadonlySet<string> = new Set([
  'PromptValidationError',
  'PromptRenderError',
  'PromptEvaluationError',
  'VisibilityExpansionRequired',
  'PromptOverridesError',
  'OutputParseError',
  'ToolValidationError',
  'UnboundResourceError',
  'CircularDependencyError',
  'DuplicateBindingError',
  'ProviderError',
  'BudgetExceededError',
  'ThrottleError',
]);

/** The equivalent of an error of the reference's language: a class, and more where the class says too little. */
interface OwnError {
  readonly class: string;
  readonly code?: string;
  /** The kinds that it may be. */
  readonly kind?: readonly string[];
}

/** The reference refuses these when a declaration is made, the builder together with all other findings. */
const declared: Readonly<Record<string, OwnError>> = {
  ValueError: { class: 'PromptValidationError' },
  TypeError: { class: 'PromptValidationError' },
};

const fileError = (...kind: readonly string[]): OwnError => ({ class: 'FilesystemError', kind });

/** By area, then by the name in the case. */
const languageErrors: Readonly<Record<string, Readonly<Record<string, OwnError>>>> = {
  rendering: declared,
  params: declared,
  validation: declared,
  enablement: declared,
  'tool-name': declared,
  'tool-description': declared,
  'tool-example': declared,
  'section-key': { ValueError: { class: 'PromptValidationError', code: 'E302' } },
  budget: { ValueError: { class: 'ToolwrightError', code: 'E706' } },
  filesystem: {
    FileNotFoundError: fileError('notFound'),
    IsADirectoryError: fileError('isDirectory'),
    NotADirectoryError: fileError('notDirectory'),
    FileExistsError: fileError('exists'),
    ValueError: fileError('invalidPath', 'invalidPattern'),
  },
  deadline: { ValueError: { class: 'ToolwrightError', code: 'E605' } },
};

/**
 * Conditions under which an error counts as the case's.
 *
 * @throws ConformanceFault C3 for a class that neither list holds
 */
export function ownErrorOf(area: string, symbolicClass: string): OwnError {
  if (libraryClasses.has(symbolicClass)) return { class: symbolicClass };
  const own = languageErrors[area]?.[symbolicClass];
  if (own === undefined) throw unknownWord(`error class in ${area}`, symbolicClass);
  return own;
}

import { brand, hasBrand } from '../common/brand.js';
import { report, ToolwrightError, type ErrorDetails } from './ToolwrightError.js';

/** A class could not be built by the container; the message shows the path that led to it. */
export class ContainerError extends ToolwrightError {
  constructor(problem: string, details: ErrorDetails) {
    super(report(problem, details), details);
  }

  static override is(this: void, value: unknown): value is ContainerError {
    return hasBrand(value, 'ContainerError');
  }
}
brand(ContainerError, 'ContainerError');

/** A session was used against its rules: state of a wrong kind, a reducer declared twice (runtime contract, 8). */
export class SessionError extends ToolwrightError {
  constructor(problem: string, details: ErrorDetails) {
    super(report(problem, details), details);
  }

  static override is(this: void, value: unknown): value is SessionError {
    return hasBrand(value, 'SessionError');
  }
}
brand(SessionError, 'SessionError');

/** Base of the errors about resources (runtime contract, 15). */
export class ResourceError extends ToolwrightError {
  constructor(problem: string, details: ErrorDetails) {
    super(report(problem, details), details);
  }

  static override is(this: void, value: unknown): value is ResourceError {
    return hasBrand(value, 'ResourceError');
  }
}
brand(ResourceError, 'ResourceError');

/** A resource was asked for that nothing binds. */
export class UnboundResourceError extends ResourceError {
  constructor(name: string, bound: readonly string[]) {
    const known = bound.length === 0 ? 'No resource is bound.' : `Bound are: ${bound.join(', ')}.`;
    super(`the resource is not bound. ${known}`, { code: 'E901', place: name });
  }

  static override is(this: void, value: unknown): value is UnboundResourceError {
    return hasBrand(value, 'UnboundResourceError');
  }
}
brand(UnboundResourceError, 'UnboundResourceError');

/** Resources need each other in a circle; `path` names it. */
export class CircularDependencyError extends ResourceError {
  readonly path: readonly string[];

  constructor(path: readonly string[]) {
    super(`the resources need each other: ${path.join(' → ')}`, { code: 'E902', place: path[0] });
    this.path = path;
  }

  static override is(this: void, value: unknown): value is CircularDependencyError {
    return hasBrand(value, 'CircularDependencyError');
  }
}
brand(CircularDependencyError, 'CircularDependencyError');

/** One list binds a resource twice. */
export class DuplicateBindingError extends ResourceError {
  constructor(name: string) {
    super('the resource is bound twice in one list', { code: 'E903', place: name });
  }

  static override is(this: void, value: unknown): value is DuplicateBindingError {
    return hasBrand(value, 'DuplicateBindingError');
  }
}
brand(DuplicateBindingError, 'DuplicateBindingError');

/** The function that provides a resource failed; `cause` is what it threw. */
export class ProviderError extends ResourceError {
  constructor(name: string, problem: string, cause?: unknown) {
    super(problem, { code: 'E904', place: name, cause });
  }

  static override is(this: void, value: unknown): value is ProviderError {
    return hasBrand(value, 'ProviderError');
  }
}
brand(ProviderError, 'ProviderError');

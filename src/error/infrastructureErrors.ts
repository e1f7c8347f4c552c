import { brand } from '../common/brand.js';
import { messageOf } from '../common/text.js';
import { PlacedError } from './ToolwrightError.js';

/** The container could not build a class. The message shows the path that led to it. */
export class ContainerError extends PlacedError {}
brand(ContainerError, 'ContainerError');

/** A session was used against its rules, e.g. with state of a wrong kind or a duplicate reducer (docs/contract.md, 8). */
export class SessionError extends PlacedError {}
brand(SessionError, 'SessionError');

/** Base of the errors about resources (docs/contract.md, 15). */
export class ResourceError extends PlacedError {}
brand(ResourceError, 'ResourceError');

/** A requested resource is not bound. */
export class UnboundResourceError extends ResourceError {
  constructor(name: string, bound: readonly string[]) {
    const known = bound.length === 0 ? 'No resource is bound.' : `Bound are: ${bound.join(', ')}.`;
    super(`the resource is not bound. ${known}`, { code: 'E901', place: name });
  }
}
brand(UnboundResourceError, 'UnboundResourceError');

/** Resources depend on each other in a cycle. `path` is the cycle. */
export class CircularDependencyError extends ResourceError {
  readonly path: readonly string[];

  constructor(path: readonly string[]) {
    super(`the resources need each other: ${path.join(' → ')}`, { code: 'E902', place: path[0] });
    this.path = path;
  }
}
brand(CircularDependencyError, 'CircularDependencyError');

/** A list binds a resource twice. */
export class DuplicateBindingError extends ResourceError {
  /** @param list the owner of the list; the application by default */
  constructor(name: string, list?: string) {
    const where = list === undefined ? '' : `: that of ${list}`;
    super(`the resource is bound twice in one list${where}`, { code: 'E903', place: name });
  }
}
brand(DuplicateBindingError, 'DuplicateBindingError');

/** The provider of a resource failed. `cause` is the error that it threw. */
export class ProviderError extends ResourceError {
  constructor(name: string, problem: string, cause?: unknown, remedy?: string) {
    super(problem, { code: 'E904', place: name, cause, remedy });
  }
}
brand(ProviderError, 'ProviderError');

/** Some resources failed to close. All others were closed nevertheless. */
export class ResourceCloseError extends ResourceError {
  /** The thrown errors, in the order of closing. */
  readonly errors: readonly unknown[];

  /** @param faults the errors, each with the name of its resource */
  constructor(faults: readonly { readonly name: string; readonly error: unknown }[]) {
    const list = faults.map(({ name, error }) => `${name}: ${messageOf(error)}`).join('; ');
    super(`${String(faults.length)} failed to close: ${list}`, { code: 'E908', cause: faults[0]?.error });
    this.errors = Object.freeze(faults.map(({ error }) => error));
  }
}
brand(ResourceCloseError, 'ResourceCloseError');

/** Another call is writing to the resource, and this call cannot wait for it. Its outcome is `conflicted`. */
export class ResourceBusyError extends ResourceError {
  constructor(name: string) {
    super('another call is writing to it', { code: 'E910', place: name });
  }
}
brand(ResourceBusyError, 'ResourceBusyError');

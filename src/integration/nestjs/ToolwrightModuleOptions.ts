import type { ApplicationOptions } from '../../application/ApplicationOptions.js';
import type { Awaitable, Constructor } from '../../common/types.js';
import type { RunMetadata } from '../../interface/RunMetadata.js';

/** What `ToolwrightModule` makes an application of; the container is Nest's, and everything has a default. */
export interface ToolwrightModuleOptions extends Omit<ApplicationOptions, 'container' | 'prompts'> {
  /**
   * The prompts of the application. When neither this nor `forFeature` names any, all that are providers of a module count,
   * except those that `forFeature` gave to another application.
   */
  readonly prompts?: readonly Constructor[] | undefined;
  /**
   * Makes the request of runs that were begun without `withRequest`: of MCP calls, jobs, runs that are continued. Guards see it,
   * and request-scoped classes are built for it, once a run. Undefined when there is none.
   *
   * @param runMetadata the ids that the run was begun with
   */
  readonly requestFor?: ((runMetadata: RunMetadata) => Awaitable<object | undefined>) | undefined;
  /** Milliseconds that runs may go on when the Nest application shuts down, before they are aborted; 5,000 when left out. */
  readonly graceMs?: number | undefined;
}

/** What a module says beside the options themselves. */
export interface ToolwrightModuleExtras {
  /** For applications beside the first: `@InjectToolwright(name)` injects it, `forFeature(…, { name })` adds to it. */
  readonly name?: string | undefined;
  /** Whether other modules may inject it without an import; true when left out. */
  readonly isGlobal?: boolean | undefined;
}

import type { ApplicationOptions, Constructor, RunMetadata } from 'toolwright';
import type { Awaitable } from 'toolwright/types';
import { applicationOptionNames, type OptionNames } from 'toolwright/internal';
import type { RunsOptions } from '@toolwright/durable';

/** Options of `ToolwrightModule`; the container is Nest's, and everything has a default. */
export interface ToolwrightModuleOptions extends Omit<ApplicationOptions, 'container' | 'prompts'> {
  /**
   * The prompts of the application. If neither this nor `forFeature` lists any: all that are providers of a module, except those
   * that `forFeature` adds to another application.
   */
  readonly prompts?: readonly Constructor[] | undefined;
  /**
   * Creates the request of runs that were started without `withRequest`: of MCP calls, jobs, runs that are continued. Guards get
   * it, and request-scoped classes are built for it, once per run. Returns undefined if there is none.
   *
   * @param runMetadata the ids that the run was started with
   */
  readonly requestFor?: ((runMetadata: RunMetadata) => Awaitable<object | undefined>) | undefined;
  /**
   * Opens durable runs, `toolwright.runs`. Their worker begins once Nest has started, unless `work` is false or, with an `engine`, not
   * true; it drains within `graceMs` when Nest shuts down.
   */
  readonly runs?: RunsOptions | undefined;
  /** Milliseconds that runs may continue when the Nest application shuts down, before they are aborted; 5,000 when left out. */
  readonly graceMs?: number | undefined;
}

/** Options of a module in addition to those of its application. */
export interface ToolwrightModuleExtras {
  /** Names an additional application: `@InjectToolwright(name)` injects it, `forFeature(…, { name })` adds to it. */
  readonly name?: string | undefined;
  /** True if other modules may inject it without an import; true when left out. */
  readonly isGlobal?: boolean | undefined;
}

const { container: _nests, ...ofApplication } = applicationOptionNames;

export const moduleOptionNames: OptionNames<ToolwrightModuleOptions> = {
  ...ofApplication,
  requestFor: 1,
  runs: 1,
  graceMs: 1,
};

export const rootOptionNames: OptionNames<ToolwrightModuleOptions & ToolwrightModuleExtras> = {
  ...moduleOptionNames,
  name: 1,
  isGlobal: 1,
};

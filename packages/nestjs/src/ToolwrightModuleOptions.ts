import type { ApplicationOptions, Constructor, RunMetadata } from 'toolwright';
import type { Awaitable } from 'toolwright/types';
import { applicationOptionForms, type OptionNames } from 'toolwright/internal';
import type { RunsOptions } from '@toolwright/durable';

/** Options of `ToolwrightModule`. All have defaults; the container is Nest's. */
export interface ToolwrightModuleOptions extends Omit<ApplicationOptions, 'container' | 'prompts'> {
  /**
   * The prompts of the application.
   *
   * @defaultValue the prompts that `forFeature` lists; without any, every prompt that a module provides, except prompts that `forFeature`
   * adds to another application
   * @example prompts: [SupportDesk]
   */
  readonly prompts?: readonly Constructor[] | undefined;
  /**
   * Creates the request of runs that were started without `withRequest`, such as MCP calls, jobs and continued runs. Guards get the
   * request, and request-scoped classes are built for it, once per run. Returns undefined for a run without a request.
   *
   * @param runMetadata the metadata with which the run was started
   * @example requestFor: ({ userId }) => users.requestOf(userId)
   */
  readonly requestFor?: ((runMetadata: RunMetadata) => Awaitable<object | undefined>) | undefined;
  /**
   * Opens durable runs as `toolwright.runs`. Their worker begins once Nest has started, unless `work` is false or `later` or, with an
   * `engine`, not true. It drains within `graceMs` when Nest shuts down.
   *
   * @example runs: { store: new SqliteRuns('./runs.db'), prepare }
   */
  readonly runs?: RunsOptions | undefined;
  /**
   * Milliseconds that runs may continue after the Nest application begins to shut down. Then they are aborted.
   *
   * @defaultValue `5_000`
   * @example graceMs: 30_000
   */
  readonly graceMs?: number | undefined;
}

/** Options of a module in addition to the options of its application. */
export interface ToolwrightModuleExtras {
  /** Names an additional application: `@InjectToolwright(name)` injects it, `forFeature(…, { name })` adds to it. */
  readonly name?: string | undefined;
  /** True if other modules may inject it without an import; true when left out. */
  readonly isGlobal?: boolean | undefined;
}

const { container: _nests, ...ofApplication } = applicationOptionForms;

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

import { type Application, type Constructor, ContainerError, createApplication, type RunMetadata } from 'toolwright';
import type { Interceptor } from 'toolwright/policies';
import type { Awaitable } from 'toolwright/types';
import { isClass, isInstance, findArgs, requireOptionNames } from 'toolwright/internal';
import { loadPeer } from 'toolwright/internal/light';
import type { Runs } from '@toolwright/durable';
import { setTimeout as sleep } from 'node:timers/promises';
import { ModulesContainer, type ModuleRef } from '@nestjs/core';
import { type OnApplicationBootstrap, type OnModuleDestroy, type OnModuleInit, Inject } from '@nestjs/common';
import { NestContainer } from './NestContainer.js';
import { createNestLogger } from './createNestLogger.js';
import { moduleOptionNames, type ToolwrightModuleOptions } from './ToolwrightModuleOptions.js';
import { awaitUntilShutdown } from './awaitUntilShutdown.js';
import { DEFAULT_GRACE_MS } from './limits.js';

const BEFORE = 'it was used before Nest had initialised its modules';

/**
 * The injectable application of a `ToolwrightModule`: created when Nest initialises its modules, closed when Nest shuts down.
 *
 * @example
 * constructor(private readonly toolwright: Toolwright) {}
 *
 * answer(request: Request, content: string) {
 *   const prompt = this.toolwright.app.prompt(SupportDesk);
 *   const messages = [{ role: 'user', content }] as const;
 *   return this.toolwright.withRequest(request, (runMetadata) => this.toolwright.app.evaluate(prompt, { adapter, messages, runMetadata }));
 * }
 */
export class Toolwright implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  readonly #moduleRef: ModuleRef;
  readonly #options: ToolwrightModuleOptions;
  readonly #name: string | undefined;
  readonly #closing = new AbortController();
  #running: { readonly app: Application; readonly container: NestContainer } | undefined;
  #runs: Runs | undefined;

  /** @throws PromptError E413 for an unknown option, for example one returned by the factory of `forRootAsync` */
  constructor(moduleRef: ModuleRef, options: ToolwrightModuleOptions, name: string | undefined) {
    requireOptionNames('ToolwrightModule', options, moduleOptionNames);
    this.#moduleRef = moduleRef;
    this.#options = options;
    this.#name = name;
  }

  /** The application. @throws ContainerError E954 before Nest has initialised its modules */
  get app(): Application {
    return this.#requireRunning().app;
  }

  /** The durable runs of the option `runs`. @throws ContainerError E954 before Nest has initialised its modules, and without the option */
  get runs(): Runs {
    if (this.#runs !== undefined) return this.#runs;
    const problem = this.#running === undefined ? BEFORE : 'ToolwrightModule was not given the option runs';
    throw new ContainerError(problem, { code: 'E954', place: 'Toolwright' });
  }

  /** Aborts when the Nest application shuts down and the grace period is over. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /**
   * Runs work with metadata by which its runs find the request. Guards get the request, and request-scoped classes are built for it.
   *
   * @param request Nest's request, or any object that replaces it
   * @param work gets the metadata for its runs; the request is released when the work has ended
   * @param ids further ids of the host for the events
   * @throws ContainerError E954; errors of the work, unchanged
   */
  async withRequest<T>(
    request: object,
    work: (runMetadata: RunMetadata) => Awaitable<T>,
    ids?: RunMetadata,
  ): Promise<T> {
    return this.#requireRunning().container.withRequest(request, work, ids);
  }

  /** Called by Nest: creates the application. */
  async onModuleInit(): Promise<void> {
    const { prompts, graceMs: _grace, requestFor, runs, ...options } = this.#options;
    const closing = this.#closing.signal;
    const container = new NestContainer(this.#moduleRef, { requestFor, closing });
    const upToTheEnd: Interceptor = { aroundModel: (_asked, next) => awaitUntilShutdown(next(), closing) };
    const app = await createApplication({
      logger: createNestLogger(),
      ...options,
      prompts: promptsIn(this.#moduleRef.get(ModulesContainer, { strict: false }), this.#name, prompts),
      interceptors: [...(options.interceptors ?? []), upToTheEnd],
      container,
    });
    this.#running = { app, container };
    if (runs === undefined) return;
    const { openRuns } = await loadPeer('ToolwrightModule.forRoot({ runs })', () => import('@toolwright/durable'));
    this.#runs = await openRuns(app, { ...runs, work: runs.work === false ? false : 'later' });
  }

  /** Called by Nest: starts the worker of durable runs. */
  async onApplicationBootstrap(): Promise<void> {
    const { runs } = this.#options;
    if (runs !== undefined && (runs.work ?? runs.engine === undefined) === true) await this.#runs?.work();
  }

  /** Called by Nest: refuses new runs, waits for running ones, aborts them after the grace period, and closes the application. */
  async onModuleDestroy(): Promise<void> {
    if (this.#running === undefined) return;
    const grace = this.#options.graceMs ?? DEFAULT_GRACE_MS;
    await this.#runs?.drain(grace);
    const closed = this.#running.app.close();
    if (await isOver(closed, grace)) return;
    this.#closing.abort();
    // Code that waits for a person, such as an approver, gets no signal, so waiting for it is limited.
    await isOver(closed, grace);
  }

  #requireRunning(): { readonly app: Application; readonly container: NestContainer } {
    if (this.#running !== undefined) return this.#running;
    throw new ContainerError(BEFORE, {
      code: 'E954',
      place: 'Toolwright',
    });
  }
}

/** Waits for work, up to a time. Returns false if it has not ended by then. @throws the error of the work, unchanged */
async function isOver(work: Promise<void>, milliseconds: number): Promise<boolean> {
  const stop = new AbortController();
  const over = work.then(() => true);
  const late = sleep(milliseconds, false, { signal: stop.signal }).catch(() => false);
  try {
    return await Promise.race([over, late]);
  } finally {
    stop.abort();
  }
}

/**
 * Returns the prompts of an application: the listed prompts and the prompts of its features. Without any of these, it returns every
 * prompt that a module provides and that no other application uses.
 *
 * @param name the name of the application; undefined for the first
 * @throws ContainerError E956 if there are no prompts
 */
function promptsIn(
  modules: ModulesContainer,
  name: string | undefined,
  listed: readonly Constructor[] = [],
): readonly Constructor[] {
  const wrappers = [...modules.values()].flatMap(({ providers }) => [...providers.values()]);
  const features = wrappers.flatMap(({ instance }) => (isInstance(instance, FeaturePrompts) ? [instance] : []));
  const mine = features.filter((feature) => feature.name === name).flatMap(({ prompts }) => prompts);
  const named = new Set([...listed, ...mine]);
  if (named.size > 0) return [...named];
  const others = new Set(features.flatMap(({ prompts }) => prompts));
  const found = wrappers.flatMap(({ token }) =>
    isClass(token) && findArgs(token)?.prompt !== undefined && !others.has(token) ? [token] : [],
  );
  if (found.length > 0) return [...new Set(found)];
  throw new ContainerError('no module provides a class with @Prompt', {
    code: 'E956',
    place: name === undefined ? 'ToolwrightModule' : `ToolwrightModule "${name}"`,
  });
}

/** Returns the token of the `Toolwright` of `ToolwrightModule.forRoot({ name })`; the class itself without a name. */
export function toolwrightToken(name?: string): string | typeof Toolwright {
  return name === undefined ? Toolwright : `Toolwright(${name})`;
}

/**
 * Injects the `Toolwright` of `ToolwrightModule.forRoot({ name })`.
 *
 * @example
 * constructor(@InjectToolwright('billing') private readonly toolwright: Toolwright) {}
 */
export function InjectToolwright(name?: string): PropertyDecorator & ParameterDecorator {
  return Inject(toolwrightToken(name));
}

/** The prompts that one `forFeature` adds to an application. This provider has no dependencies and is found by its class. */
export class FeaturePrompts {
  constructor(
    readonly name: string | undefined,
    readonly prompts: readonly Constructor[],
  ) {}
}

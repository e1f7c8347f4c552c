import { Scope, type Type } from '@nestjs/common';
import { ApplicationConfig, ContextIdFactory, ExternalContextCreator, ModuleRef, ModulesContainer } from '@nestjs/core';
import { type Constructor, ContainerError, type RenderedTool, type RunMetadata } from 'toolwright';
import type { ContainedHandler, ContainerAdapter } from 'toolwright/adapters';
import { messageOf } from 'toolwright/internal/light';
import {
  allow,
  type CallContext,
  deny,
  type ParsedCall,
  type PolicyDecision,
  type ToolPolicy,
} from 'toolwright/policies';
import type { Awaitable, ToolView } from 'toolwright/types';
import { classChain, className, readEmittedParameters, isClass } from 'toolwright/internal';
import type { HostInvocation } from './toolCallOf.js';
import { HostPipeline } from './HostPipeline.js';
import { RequestRegistry, type RegisteredRequest } from './RequestRegistry.js';
import { awaitUntilShutdown } from './awaitUntilShutdown.js';

/** Options of `NestContainer`. */
export interface NestContainerOptions {
  /** The same as the option of `ToolwrightModule.forRoot({ requestFor })`. */
  readonly requestFor?: ((runMetadata: RunMetadata) => Awaitable<object | undefined>) | undefined;
  /** Aborts when the host shuts down and no longer waits for running calls. */
  readonly closing?: AbortSignal | undefined;
}

/**
 * Lets Nest build sections and tool classes, request-scoped ones for each request, and runs the host's enhancers around handlers.
 * Guards are a policy: they are asked before an approver, and a refusal denies the call.
 */
export class NestContainer implements ContainerAdapter {
  readonly policies: readonly ToolPolicy[];
  readonly #moduleRef: ModuleRef;
  readonly #modules: ModulesContainer;
  readonly #config: ApplicationConfig;
  readonly #pipeline: HostPipeline;
  readonly #requests: RequestRegistry;
  readonly #closing: AbortSignal;

  constructor(moduleRef: ModuleRef, { requestFor, closing }: NestContainerOptions = {}) {
    this.#moduleRef = moduleRef;
    this.#modules = moduleRef.get(ModulesContainer, { strict: false });
    this.#config = moduleRef.get(ApplicationConfig, { strict: false });
    this.#pipeline = new HostPipeline(moduleRef.get(ExternalContextCreator, { strict: false }), this.#config);
    this.#requests = new RequestRegistry(moduleRef, requestFor);
    this.#closing = closing ?? new AbortController().signal;
    this.policies = Object.freeze([
      { name: 'nest_guards', check: (call: ParsedCall, context: CallContext) => this.#check(call, context) },
    ]);
  }

  /**
   * Runs work with metadata by which its runs find the request. Guards get the request, and request-scoped classes are built for it.
   *
   * @param ids further ids of the host for the events
   */
  withRequest<T>(request: object, work: (runMetadata: RunMetadata) => Awaitable<T>, ids: RunMetadata = {}): Promise<T> {
    return this.#requests.runWith(request, ids, work);
  }

  /**
   * Returns the instance of a class.
   *
   * @throws ContainerError E951 (no provider, or Nest cannot build it), E952 (provided twice)
   */
  async get<T extends object>(type: Constructor<T>): Promise<T> {
    const host = this.#hostOf(type);
    if (host === undefined) return this.#buildInstance(type);
    // Nest finds enhancers of a class through the list of providers. It would silently skip them on a class built by a factory.
    const unknown = readEnhancers(type).find((one) => isClass(one) && host.host?.injectables.has(one) !== true);
    if (unknown !== undefined)
      throw createUnlistedError(
        type,
        `Nest does not build it from its class, so that ${className(unknown)} on it would not run`,
      );
    // The class is not built without a request. Hooks get the methods of the class, but no dependencies.
    if (!host.isDependencyTreeStatic()) {
      await this.#requireDependencies(type);
      return Object.create(type.prototype as object) as T;
    }
    return this.#moduleRef.resolve<T>(type, undefined, { strict: false });
  }

  /** Runs a handler. @throws ContainerError E953; PromptEvaluationError E955; errors of the handler and the host, unchanged */
  async run(handler: ContainedHandler, params: unknown, context: CallContext): Promise<unknown> {
    const call = await this.#hostCall(handler, params, context);
    const { instance } = call;
    return awaitUntilShutdown(
      this.#pipeline.handle(call, (given) => handler.invoke(instance, given)),
      this.#closing,
    );
  }

  async #check({ tool, params }: ParsedCall, context: CallContext): Promise<PolicyDecision> {
    const { metadata, owner, container, paramsType } = tool as ToolView & ToolOfSection;
    // The host does not build tools without a section, such as open_sections.
    if (container === undefined) return allow;
    const { owner: type, member } = metadata;
    let call: HostInvocation;
    try {
      call = await this.#hostCall({ type, member, paramsType, instance: owner }, params, context);
    } catch (error) {
      context.logger.error(messageOf(error), { error });
      return deny(`${className(type)} could not be built for this call. The call is not at fault.`);
    }
    const refusal = await this.#pipeline.refusal(call);
    return refusal === undefined ? allow : deny(refusal);
  }

  async #hostCall(
    handler: Omit<ContainedHandler, 'invoke'>,
    params: unknown,
    context: CallContext,
  ): Promise<HostInvocation> {
    const booked = await this.#requests.of(context.runMetadata);
    const instance = await this.#instanceFor(handler, booked);
    return { handler, instance, params, context, request: booked?.request, contextId: booked?.contextId };
  }

  /**
   * Lets Nest build a request-scoped class once with an empty request, because Nest resolves its dependencies only then. Otherwise a
   * missing dependency would be reported with the first call.
   *
   * @throws ContainerError E951
   */
  async #requireDependencies(type: Constructor): Promise<void> {
    const contextId = ContextIdFactory.create();
    this.#moduleRef.registerRequestByContextId({ headers: {} }, contextId);
    try {
      await this.#moduleRef.resolve<object>(type, contextId, { strict: false });
    } catch (cause) {
      // A constructor may need a real request.
      if (isMissing(cause))
        throw createUnlistedError(type, `Nest could not build it for a request: ${messageOf(cause)}`, cause);
    }
  }

  async #instanceFor(
    { type, instance }: Omit<ContainedHandler, 'invoke'>,
    booked: RegisteredRequest | undefined,
  ): Promise<object> {
    const scoped = [
      ...this.#config.getGlobalRequestGuards(),
      ...this.#config.getGlobalRequestPipes(),
      ...this.#config.getGlobalRequestInterceptors(),
      ...this.#config.getGlobalRequestFilters(),
    ];
    const isScoped = this.#hostOf(type)?.isDependencyTreeStatic() === false;
    if (scoped.length === 0 && !isScoped) return instance;
    if (booked === undefined)
      throw new ContainerError('it, or an enhancer around it, is built for a request, and this run has none', {
        code: 'E953',
        place: className(type),
      });
    const { contextId } = booked;
    // Nest builds request-scoped enhancers only for its own entry points.
    for (const { token } of scoped) await this.#moduleRef.resolve<unknown>(token, contextId, { strict: false });
    if (!isScoped) return instance;
    return this.#moduleRef.resolve<object>(type, contextId, { strict: false }).catch((cause: unknown) => {
      throw createUnlistedError(type, `Nest could not build it for a request: ${messageOf(cause)}`, cause);
    });
  }

  /** @throws ContainerError E952 */
  #hostOf(type: Constructor): ProviderWrapper | undefined {
    const [first, second] = [...this.#modules.values()].flatMap(({ providers, name }) => {
      const wrapper = providers.get(type);
      return wrapper === undefined ? [] : [{ wrapper, name }];
    });
    if (second === undefined) return first?.wrapper;
    throw new ContainerError(`it is a provider of ${String(first?.name)} and of ${second.name}`, {
      code: 'E952',
      place: className(type),
    });
  }

  /** Builds a class that no module provides: a ready-made section, or a section derived from a provider. */
  async #buildInstance<T extends object>(type: Constructor<T>): Promise<T> {
    if (readEnhancers(type).length > 0)
      throw createUnlistedError(type, 'no module provides it, so its enhancers would not run');
    const [, ...bases] = classChain(type);
    const [base] = bases.flatMap((one) => this.#hostOf(one) ?? []);
    if (base === undefined && readEmittedParameters(type)?.length !== 0)
      throw createUnlistedError(type, 'no module provides it, and its constructor has parameters');
    const own = Reflect.getMetadata('scope:options', type) as { readonly scope?: Scope } | undefined;
    if (own?.scope === Scope.REQUEST || base?.isDependencyTreeStatic() === false)
      throw createUnlistedError(type, 'no module provides it, and it belongs to a request');
    const moduleRef = base?.host?.providers.get(ModuleRef)?.instance as ModuleRef | undefined;
    try {
      return await (moduleRef ?? this.#moduleRef).create<T>(type as Type<T>);
    } catch (cause) {
      throw createUnlistedError(type, `Nest could not build it: ${messageOf(cause)}`, cause);
    }
  }
}

/** The fields of a tool that policies do not see. */
type ToolOfSection = Pick<RenderedTool, 'metadata' | 'owner' | 'container' | 'paramsType'>;
type ModuleOfNest = ModulesContainer extends Map<string, infer M> ? M : never;
type ProviderWrapper = ModuleOfNest extends { readonly providers: Map<unknown, infer W> } ? W : never;

/** Checks for an error of Nest about a dependency. Nest does not export its error classes. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && /Dependenc(?:y|ies)Exception$/.test(error.constructor.name);
}

function createUnlistedError(type: Constructor, problem: string, cause?: unknown): ContainerError {
  return new ContainerError(problem, { code: 'E951', place: className(type), cause });
}

/** The metadata keys of `@UseGuards`, `@UseInterceptors`, `@UsePipes` and `@UseFilters`. Nest does not export them from a public entry. */
const KEYS = ['__guards__', '__interceptors__', '__pipes__', '__exceptionFilters__'];

/** Returns the guards, interceptors, pipes and filters of a class and its methods: classes or instances. */
function readEnhancers(type: Constructor): readonly unknown[] {
  return classChain(type).flatMap((owner) => {
    const prototype = owner.prototype as Record<PropertyKey, unknown>;
    const methods = Reflect.ownKeys(prototype).map(
      (key) => Object.getOwnPropertyDescriptor(prototype, key)?.value as unknown,
    );
    const places = [owner, ...methods].filter((place) => typeof place === 'function');
    return places.flatMap((place) => KEYS.flatMap((key) => readOwnList(key, place)));
  });
}

function readOwnList(key: string, place: object): readonly unknown[] {
  const list: unknown = Reflect.getOwnMetadata(key, place);
  return Array.isArray(list) ? (list as readonly unknown[]) : [];
}

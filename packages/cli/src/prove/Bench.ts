import {
  bind,
  type BoundPrompt,
  type RenderedPrompt,
  type RunMetadata,
  type Session,
  type ToolCall,
  type ToolOutcome,
} from 'toolwright';
import { getApplicationParts, type RenderedTool } from 'toolwright/internal';
import { messageOf } from 'toolwright/internal/light';
import type { Approver, Interceptor } from 'toolwright/policies';
import type { ResourceBinding } from 'toolwright/resources';
import type { Logger } from 'toolwright';
import { CliError } from '../CliError.js';
import type { ConfigInput, Loaded } from '../load/loadApplication.js';
import { MAX_SNAPSHOT_VALUES } from '../limits.js';
import { selectPrompt } from '../load/withApplication.js';
import { takeSnapshot, toRecord, type Snapshot } from './Snapshot.js';

/** How benches are opened. */
export interface BenchSettings {
  readonly open: (input: ConfigInput) => Promise<Loaded>;
  readonly prompt: string | undefined;
  readonly runMetadata: RunMetadata;
  /** The longest time of one call, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The state that a call may change. */
export interface World {
  /** The session and the resources that a failed call rolls back. */
  readonly inside: Snapshot;
  /** Everything else that can be seen: fields of sections and of objects that they hold, other resources, the export `outside`. */
  readonly outside: Snapshot;
}

/** How a call of a bench is made. */
export interface BenchCall {
  readonly id?: string;
  /** Calls with the same run and arguments get the same idempotency key. */
  readonly run?: string;
  readonly signal?: AbortSignal;
  /** Replaces the timeout of the tool, in milliseconds. */
  readonly timeoutMs?: number;
  /** Replaces resources for this call. */
  readonly resources?: readonly ResourceBinding[];
}

/** The outcome of a call, or the error that the call threw. */
export interface Made {
  readonly outcome?: ToolOutcome | undefined;
  readonly thrown?: unknown;
}

const allowsAll: Approver = { approve: () => ({ kind: 'approved', by: 'prove' }) };

/** An application with a session, in which calls of one tool are made. Its approver approves every call. */
export class Bench {
  readonly loaded: Loaded;
  readonly prompt: BoundPrompt;
  readonly session: Session;
  readonly #settings: BenchSettings;
  readonly #undo: (() => void)[] = [];

  private constructor(loaded: Loaded, session: Session, settings: BenchSettings) {
    this.loaded = loaded;
    this.session = session;
    this.prompt = selectPrompt(loaded, settings.prompt);
    this.#settings = settings;
  }

  /** @throws CliError E962, E963, E965, and the findings of the application's declarations */
  static async open(settings: BenchSettings, dataFolder: string, approver: Approver = allowsAll): Promise<Bench> {
    const loaded = await settings.open({ approver, runMetadata: settings.runMetadata, dataFolder });
    const { services } = getApplicationParts(loaded.app);
    // The calls are meant to fail, so their warnings tell nothing new.
    (services as { logger: Logger }).logger = silentLogger;
    (services as { approver?: Approver | undefined }).approver = approver;
    return new Bench(loaded, await loaded.session(), settings);
  }

  /** Renders the prompt with all sections open. */
  async render(resources: readonly ResourceBinding[] = []): Promise<RenderedPrompt> {
    const prompt = resources.length === 0 ? this.prompt : this.prompt.withResources(resources);
    const paths = this.prompt.sections.map(({ path }) => [path, 'full'] as const);
    return prompt.render({ session: this.session, visibilityOverrides: Object.fromEntries(paths) });
  }

  /** Lists the enabled tools with a handler. */
  async listTools(): Promise<readonly RenderedTool[]> {
    const own = new Set(this.prompt.metadata.allSections.flatMap(({ tools }) => tools));
    return (await this.render()).tools.filter(({ metadata }) => own.has(metadata) && metadata.invoke !== null);
  }

  /** Lists the resources of the application that live longer than a call. */
  async listResources(): Promise<readonly { readonly binding: ResourceBinding; readonly resource: unknown }[]> {
    const { resources } = this.prompt.services;
    const singletons = resources.bindings.filter(({ scope }) => scope === 'singleton');
    return Promise.all(
      singletons.map(async (binding) => ({ binding, resource: await resources.resolve(binding.type) })),
    );
  }

  /** @throws CliError E985 */
  async look(): Promise<World> {
    const inside: Record<string, unknown> = { session: this.#readSession() };
    const outside: Record<string, unknown> = {};
    const joined: object[] = [];
    for (const { binding, resource } of await this.listResources()) {
      const isJoined = hasMethod(resource, 'begin') || hasMethod(resource, 'snapshot');
      if (isJoined) joined.push(resource as object);
      (isJoined ? inside : outside)[binding.type.name] = resource;
    }
    const held = this.prompt.roots.flatMap(listInstances);
    for (const instance of held) outside[instance.constructor.name] = instance;
    outside['outside'] = await this.#readOutside();
    const world = { inside: takeSnapshot(inside), outside: takeSnapshot(outside, joined) };
    // Only a part of the state was compared otherwise, and a trace in the rest would pass.
    if (Math.max(world.inside.size, world.outside.size) >= MAX_SNAPSHOT_VALUES)
      throw new CliError(`its state has more than ${String(MAX_SNAPSHOT_VALUES)} values`, {
        code: 'E985',
        place: this.loaded.place,
        remedy: 'Prove the application on less test data, or keep large constants in #private fields.',
      });
    return world;
  }

  /** Makes a call, and waits for it no longer than the time limit. Never rejects. */
  async call(name: string, args: ToolCall['arguments'], options: BenchCall = {}): Promise<Made> {
    const { signal: own, timeoutMs: limit } = this.#settings;
    const { id = 'prove-1', run, signal, timeoutMs, resources } = options;
    const rendered = await this.render(resources);
    const signals = [own, AbortSignal.timeout(limit), ...(signal === undefined ? [] : [signal])];
    try {
      const outcome = await this.loaded.app.callTool(
        timeoutMs === undefined ? rendered : limitTool(rendered, name, timeoutMs),
        { id, name, arguments: args },
        {
          session: this.session,
          runMetadata: this.loaded.runMetadata,
          signal: AbortSignal.any(signals),
          repeatOf: run,
        },
      );
      return { outcome };
    } catch (thrown) {
      own.throwIfAborted();
      return { thrown };
    }
  }

  /** Wraps the handlers of this application. */
  intercept(aroundTool: NonNullable<Interceptor['aroundTool']>): void {
    this.observe({ aroundTool });
  }

  /** Adds an interceptor until this bench is closed. */
  observe(interceptor: Interceptor): void {
    this.#undo.push(getApplicationParts(this.loaded.app).services.interceptors.add(interceptor));
  }

  /** @param isShared true to leave the application open, because the module exports one for all benches */
  async close(isShared: boolean): Promise<void> {
    for (const undo of this.#undo) undo();
    if (!isShared) await this.loaded.close();
  }

  /** @throws CliError E985 for a slice without a name */
  #readSession(): unknown {
    try {
      return this.session.toJSON().slices;
    } catch (cause) {
      const remedy = 'Export a session with all slices: export const session = () => new Session({ slices: [Cart] }).';
      const [problem = ''] = messageOf(cause).split('\n', 1);
      throw new CliError(`its session cannot be compared: ${problem}`, {
        code: 'E985',
        place: this.loaded.place,
        remedy,
        cause,
      });
    }
  }

  async #readOutside(): Promise<unknown> {
    try {
      const outside = await this.loaded.read('outside');
      return outside === undefined ? {} : toRecord(outside);
    } catch (cause) {
      const problem = `its export outside threw: ${messageOf(cause)}`;
      throw new CliError(problem, { code: 'E985', place: this.loaded.place, cause });
    }
  }
}

const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

function ignore(): void {
  // Nothing is logged.
}

interface Node {
  readonly instance: object;
  readonly children: readonly Node[];
}

function listInstances({ instance, children }: Node): readonly object[] {
  return [instance, ...children.flatMap(listInstances)];
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof (value as Readonly<Record<string, unknown>> | null | undefined)?.[name] === 'function';
}

/** Returns the rendering with another timeout for one tool. */
function limitTool<R extends { readonly toolsByName: ReadonlyMap<string, RenderedTool> }>(
  rendered: R,
  name: string,
  timeoutMs: number,
): R {
  const tools = new Map(rendered.toolsByName);
  const tool = tools.get(name);
  if (tool !== undefined) {
    const metadata = { value: Object.create(tool.metadata, { timeoutMs: { value: timeoutMs } }) as unknown };
    tools.set(name, Object.create(tool, { metadata }) as RenderedTool);
  }
  return Object.create(rendered, { toolsByName: { value: tools } }) as R;
}

/** Returns a binding of another value for the class of a binding. */
export function rebind({ type }: ResourceBinding, value: unknown): ResourceBinding {
  return bind(type, { value });
}

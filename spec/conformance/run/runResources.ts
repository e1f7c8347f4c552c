import {
  bind,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type Application,
  type Constructor,
  type ToolContext,
} from 'toolwright';
import { DuplicateBindingError, type ResourceBinding, type ResourceScope } from 'toolwright/resources';
import { unknownWord } from '../ConformanceFault';
import { silentLogger } from '../declare/silentLogger';
import type { Outcome } from '../format';
import { errorOutcome } from './errorOutcome';

/** A binding as cases write it. */
interface BindingSpec {
  readonly name: string;
  readonly scope?: 'singleton' | 'tool_call' | 'prototype';
  readonly eager?: boolean;
  readonly deps?: readonly string[];
  readonly closes?: boolean;
  /** The error that its provider throws. */
  readonly fails?: string;
}

/** Asks for a resource; or does other operations within one tool call. */
type ResourceOp = { readonly get: string } | { readonly tool_scope: readonly ResourceOp[] };

interface ResourcesInput {
  readonly names: readonly string[];
  readonly bindings: readonly BindingSpec[];
  readonly ops: readonly ResourceOp[];
}

/** An instance; its class says its name. */
class Instance {
  constructor(readonly label: string) {}
}

/** Opens an application over the bindings of a case, asks it for resources, and closes it. */
export async function runResources({ names, bindings, ops }: ResourcesInput): Promise<Outcome> {
  const log: string[] = [];
  const types = new Map(names.map((name) => [name, class extends Instance {}]));
  const run = new ResourceRun(types);
  try {
    await run.open(bindings.map((spec) => bindingOf(spec, types, log)));
  } catch (error) {
    if (error instanceof DuplicateBindingError) return { error: errorOutcome(error, 'construct'), log };
    return { ops: [{ error: errorOutcome(error, 'open') }], log };
  }
  const outcomes = await run.all(ops, run.app.resources, (inner) => run.call(inner));
  await run.app.close();
  return { ops: outcomes, log };
}

type Types = ReadonlyMap<string, Constructor<Instance>>;
type ToolScope = (ops: readonly ResourceOp[]) => Promise<readonly Outcome[]>;

class ResourceRun {
  readonly #types: Types;
  readonly #pending: (readonly ResourceOp[])[] = [];
  readonly #done: (readonly Outcome[])[] = [];
  #app: Application | undefined;
  readonly #prompt = definePrompt({
    ns: 'conformance',
    key: 'resources',
    sections: [
      defineSection({
        key: 'scope',
        title: 'Scope',
        tools: [
          defineTool({
            name: 'scope',
            description: 'Works in a scope of its own.',
            handler: (_params: unknown, context: ToolContext) => this.#within(context),
          }),
        ],
      }),
    ],
  });

  constructor(types: Types) {
    this.#types = types;
  }

  get app(): Application {
    if (this.#app === undefined) throw new TypeError('the application was not opened');
    return this.#app;
  }

  async open(resources: readonly ResourceBinding[]): Promise<void> {
    this.#app = await createApplication({ prompts: [this.#prompt], resources, logger: silentLogger });
  }

  /** Does operations in the scope of one tool call. */
  async call(ops: readonly ResourceOp[]): Promise<readonly Outcome[]> {
    this.#pending.push(ops);
    await this.app.invoke(await this.app.prompt(this.#prompt).render(), 'scope', {});
    return this.#done.pop() ?? [];
  }

  async all(ops: readonly ResourceOp[], scope: ResourceScope, call: ToolScope): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const op of ops) {
      if ('tool_scope' in op) outcomes.push({ tool_scope: await call(op.tool_scope) });
      else outcomes.push(this.#got(op.get, scope));
    }
    return outcomes;
  }

  #got(name: string, scope: ResourceScope): Outcome {
    try {
      return { got: scope.get(typed(this.#types, name)).label };
    } catch (error) {
      return { error: errorOutcome(error) };
    }
  }

  async #within(context: ToolContext): Promise<void> {
    const nested: ToolScope = async (ops) => {
      this.#pending.push(ops);
      await context.callTool({ id: context.newId(), name: 'scope', arguments: {} });
      return this.#done.pop() ?? [];
    };
    this.#done.push(await this.all(this.#pending.pop() ?? [], context.resources, nested));
  }
}

function bindingOf(spec: BindingSpec, types: Types, log: string[]): ResourceBinding {
  const { name, scope: lifetime = 'singleton', eager, deps = [], closes = false, fails } = spec;
  let made = 0;
  const provide = (scope: ResourceScope): Instance => {
    for (const dep of deps) scope.get(typed(types, dep));
    if (fails !== undefined) throw new TypeError(fails);
    const instance = new (typed(types, name))(`${name}#${++made}` as never);
    log.push(`create ${instance.label}`);
    return instance;
  };
  if (lifetime === 'prototype') return bind(typed(types, name), { scope: 'prototype', provide });
  const close = ({ label }: Instance): void => {
    if (closes) log.push(`close ${label}`);
  };
  const scope = lifetime === 'tool_call' ? 'toolCall' : lifetime;
  return bind(typed(types, name), { scope, eager, provide, close });
}

function typed(types: Types, name: string): Constructor<Instance> {
  const type = types.get(name);
  if (type === undefined) throw unknownWord('resource', name);
  return type;
}

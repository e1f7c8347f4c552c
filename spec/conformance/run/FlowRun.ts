import {
  type Application,
  bind,
  type BoundPrompt,
  type CallOptions,
  type Constructor,
  createApplication,
  Deadline,
  type RenderedPrompt,
  type SectionVisibility,
  type Session,
  type ToolCall,
  type ToolOutcome,
  VisibilityExpansionRequired,
} from 'toolwright';
import { ClearAllVisibilityOverrides, ClearVisibilityOverride, SetVisibilityOverride } from 'toolwright/conversations';
import { Filesystem, InMemoryFilesystem } from 'toolwright/resources';
import { FakeClock } from 'toolwright/testing';
import { ToolInvoked } from 'toolwright/events';
import { InMemoryOverridesStore } from 'toolwright/overrides';
import { filesOf, promptOf } from '../declare/definitions';
import { overridesOf, renderTagOf } from '../declare/overridesOf';
import { sessionOf } from '../declare/sessionOf';
import { silentLogger } from '../declare/silentLogger';
import { TypeCatalogue } from '../declare/TypeCatalogue';
import { unknownWord } from '../ConformanceFault';
import type { CallSpec, FlowInput, Json, Outcome } from '../format';
import { errorOutcome } from './errorOutcome';

type Step = (flow: FlowRun, argument: unknown) => Promise<Outcome>;

const steps: Readonly<Record<string, Step>> = {
  render: (flow, how) => flow.render(how === 'full'),
  call: (flow, call) => flow.call(call as CallSpec),
  calls: (flow, calls) => flow.calls(calls as readonly CallSpec[]),
  bind: async (flow, instances) => {
    flow.bind(instances as readonly unknown[]);
    return { bound: true };
  },
  advance_clock: async (flow, seconds) => {
    flow.clock.advance(Number(seconds) * 1_000);
    return { advanced: seconds };
  },
  apply_expansion: async (flow) => flow.applyExpansion(),
  set_visibility: async (flow, overrides) =>
    flow.setVisibility(overrides as Readonly<Record<string, SectionVisibility>>),
  clear_visibility: async (flow, path) => flow.clearVisibility(String(path)),
  state: async (flow) => flow.observed(),
  descriptor: async (flow) => ({ descriptor: flow.descriptor() }),
  tool_specs: async (flow) => ({ tool_specs: (await flow.lastRendered()).toolSchemas('json-schema') }),
};

/** Runs a flow; a declaration that is refused ends it. */
export async function runFlow(input: FlowInput): Promise<Outcome> {
  const flow = new FlowRun(input);
  try {
    await flow.open();
  } catch (error) {
    return { error: errorOutcome(error, 'construct') };
  }
  const outcomes: Outcome[] = [];
  for (const step of input.steps) outcomes.push(await flow.step(step));
  return { steps: outcomes, final: flow.observed() };
}

/** One prompt with its session, files and clock, and what has happened to them. */
class FlowRun {
  readonly clock = new FakeClock('2030-01-01T00:00:00Z');
  readonly #input: FlowInput;
  readonly #types: TypeCatalogue;
  readonly #files: InMemoryFilesystem;
  readonly #session: Session;
  readonly #definition: Constructor;
  readonly #deadline: Deadline | undefined;
  readonly #events: Outcome[] = [];
  #app: Application | undefined;
  #prompt: BoundPrompt | undefined;
  #rendered: RenderedPrompt | undefined;
  #expansion: VisibilityExpansionRequired | undefined;
  /** A fault of binding shows at the next rendering, as the reference has it. */
  #bindFault: { readonly error: unknown } | undefined;

  constructor(input: FlowInput) {
    const { deadline_seconds: seconds, observe } = input;
    this.#input = input;
    this.#types = new TypeCatalogue(input.types);
    this.#files = new InMemoryFilesystem({ files: { ...filesOf(input.prompt.sections), ...input.filesystem } });
    this.#session = sessionOf(input.session ?? {}, this.#types, { clock: this.clock, observed: observe?.session });
    this.#definition = promptOf(input.prompt, { types: this.#types, clock: this.clock });
    this.#deadline = seconds === undefined ? undefined : Deadline.in(seconds * 1_000, this.clock);
  }

  async open(): Promise<void> {
    const { coerce = true, session, params, binds, overrides } = this.#input;
    const app = await createApplication({
      prompts: [this.#definition],
      coerce,
      clock: this.clock,
      logger: silentLogger,
      resources: [bind(Filesystem, { value: this.#files })],
      overrides: new InMemoryOverridesStore(),
    });
    this.#app = app;
    this.#prompt = app.prompt(this.#definition);
    if (overrides !== undefined) await this.#prompt.overrides.write(overridesOf(overrides), { tag: overrides.tag });
    const failure = session?.failing_subscriber;
    // First in line, so that those after it show whether it keeps the event from them.
    if (failure !== undefined) {
      app.eventBus.subscribe(ToolInvoked, () => {
        throw new TypeError(failure);
      });
    }
    app.eventBus.subscribe(ToolInvoked, (event) => {
      this.#events.push(this.#eventOutcome(event));
    });
    for (const instances of [...(params === undefined ? [] : [params]), ...(binds ?? [])]) this.bind(instances);
  }

  async step(step: Json): Promise<Outcome> {
    const [word = '', argument] = Object.entries(step)[0] ?? [];
    const run = Object.hasOwn(steps, word) ? steps[word] : undefined;
    if (run === undefined) throw unknownWord('step', word);
    return run(this, argument);
  }

  bind(instances: readonly unknown[]): void {
    const values = this.#types.value(instances) as object[];
    try {
      this.#prompt = this.#opened(this.#prompt).bind(...values);
    } catch (error) {
      this.#bindFault = { error };
    }
  }

  async render(full: boolean): Promise<Outcome> {
    const fault = this.#bindFault;
    this.#bindFault = undefined;
    try {
      if (fault !== undefined) throw fault.error;
      const rendered = await this.#renderNow();
      this.#rendered = rendered;
      const { text, tools } = rendered;
      const shown = { text, tools: tools.map(({ name }) => name) };
      if (!full) return shown;
      const descriptions = Object.fromEntries(tools.map(({ name, description }) => [name, description]));
      return { ...shown, tool_descriptions: descriptions, tool_param_descriptions: rendered.toolParamDescriptions };
    } catch (error) {
      return { error: errorOutcome(error, 'render') };
    }
  }

  async lastRendered(): Promise<RenderedPrompt> {
    return (this.#rendered ??= await this.#renderNow());
  }

  /** The overridable texts. */
  descriptor(): Outcome {
    const { ns, key, sections, tools } = this.#opened(this.#prompt).descriptor;
    return { ns, key, sections: sections.map(({ path }) => path), tools: tools.map(({ name }) => name) };
  }

  async call(call: CallSpec): Promise<Outcome> {
    return this.#turn(async (options) => [
      await this.#opened(this.#app).callTool(await this.lastRendered(), toolCall(call, 0), options),
    ]);
  }

  async calls(calls: readonly CallSpec[]): Promise<Outcome> {
    return this.#turn(async (options) =>
      this.#opened(this.#app).callTools(await this.lastRendered(), calls.map(toolCall), options),
    );
  }

  applyExpansion(): Outcome {
    return this.setVisibility(this.#opened(this.#expansion).requestedOverrides);
  }

  setVisibility(overrides: Readonly<Record<string, SectionVisibility>>): Outcome {
    for (const [path, visibility] of Object.entries(overrides))
      this.#session.dispatch(new SetVisibilityOverride(path, visibility));
    return { applied: true };
  }

  clearVisibility(path: string): Outcome {
    this.#session.dispatch(path === 'all' ? new ClearAllVisibilityOverrides() : new ClearVisibilityOverride(path));
    return { applied: true };
  }

  observed(): Outcome {
    const names = this.#input.observe?.session ?? [];
    const slices = names.map((name) => [name, this.#types.data(this.#session.slice(this.#types.classOf(name)).all())]);
    return {
      session: Object.fromEntries(slices) as unknown,
      files: { ...this.#files.files() },
      events: [...this.#events],
    };
  }

  async #renderNow(): Promise<RenderedPrompt> {
    const overridesTag = renderTagOf(this.#input.overrides);
    return this.#opened(this.#prompt).render({ session: this.#session, overridesTag });
  }

  async #turn(run: (options: CallOptions) => Promise<readonly ToolOutcome[]>): Promise<Outcome> {
    const completed: Outcome[] = [];
    const options: CallOptions = {
      session: this.#session,
      deadline: this.#deadline,
      // When an error ends the turn, only its events show the calls before it.
      onEvent: (event) => {
        if (event instanceof ToolInvoked && event.result !== null)
          completed.push(this.#result(event.result, event.toolMessage));
      },
    };
    try {
      const outcomes = await run(options);
      return { results: outcomes.map(({ result, text }) => this.#result(result, text)) };
    } catch (error) {
      if (error instanceof VisibilityExpansionRequired) this.#expansion = error;
      return { error: errorOutcome(error, 'dispatch'), completed };
    }
  }

  #result({ success, message, value }: ToolOutcome['result'], toolMessage: string): Outcome {
    const hasFeedback = toolMessage.includes('[Guidance: ');
    return { success, message, value: this.#types.data(value), tool_message: toolMessage, has_feedback: hasFeedback };
  }

  #eventOutcome({ name, callId, params, result, renderedOutput }: ToolInvoked): Outcome {
    return {
      event: 'ToolInvoked',
      name,
      call_id: callId,
      // A call that left the dispatcher has no result, and did not succeed.
      success: result?.success ?? false,
      message: result?.message,
      params: this.#types.data(params),
      value: this.#types.data(result?.value),
      rendered_output: renderedOutput,
    };
  }

  #opened<T>(part: T | undefined): T {
    if (part === undefined) throw new TypeError('the flow was not opened');
    return part;
  }
}

function toolCall({ id, name, arguments: given = {} }: CallSpec, index: number): ToolCall {
  return { id: id ?? `c${index}`, name, arguments: given };
}

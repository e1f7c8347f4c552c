import {
  createApplication,
  Deadline,
  type Message,
  type ModelAdapter,
  type ModelRequest,
  type ModelResponse,
  ThrottleError,
} from 'toolwright';
import type { ThrottleKind } from 'toolwright/adapters';
import { FakeClock } from 'toolwright/testing';
import { PromptExecuted, PromptRendered, ToolInvoked } from 'toolwright/events';
import { InMemoryOverridesStore } from 'toolwright/overrides';
import { promptOf } from '../declare/definitions';
import { overridesOf, renderTagOf } from '../declare/overridesOf';
import { sessionOf } from '../declare/sessionOf';
import { silentLogger } from '../declare/silentLogger';
import { TypeCatalogue } from '../declare/TypeCatalogue';
import type { FlowInput, Json, Outcome } from '../format';
import { budgetOf } from './runBudget';
import { errorOutcome } from './errorOutcome';
import { usageOf } from './usageOf';

/** A flow whose turns a scripted provider decides. */
export interface LoopInput extends Omit<FlowInput, 'steps'> {
  readonly script: readonly Json[];
  readonly budget?: Json;
}

/** Lets the scripted provider answer the prompt, and returns its requests and the result. */
export async function runLoop(input: LoopInput): Promise<Outcome> {
  const { types: records, prompt, session: state, observe, coerce = true, deadline_seconds: seconds, budget } = input;
  const clock = new FakeClock('2030-01-01T00:00:00Z');
  const types = new TypeCatalogue(records);
  const definition = promptOf(prompt, { types, clock });
  const session = sessionOf(state ?? {}, types, { clock, observed: observe?.session });
  const app = await createApplication({
    prompts: [definition],
    coerce,
    clock,
    logger: silentLogger,
    random: () => 0,
    overrides: new InMemoryOverridesStore(),
  });
  const events: string[] = [];
  for (const Event of [PromptRendered, ToolInvoked, PromptExecuted])
    app.eventBus.subscribe<object>(Event, () => void events.push(Event.name));
  const provider = new ScriptedProvider(input.script, clock);
  const deadline = seconds === undefined ? undefined : Deadline.in(seconds * 1_000, clock);
  const bound = app.prompt(definition);
  const { overrides } = input;
  if (overrides !== undefined) await bound.overrides.write(overridesOf(overrides), { tag: overrides.tag });
  const overridesTag = renderTagOf(overrides);
  const outcome = await app
    .evaluate(overridesTag === undefined ? bound : await bound.render({ session, overridesTag }), {
      adapter: provider,
      session,
      deadline,
      expansions: 'throw',
      budget: budget === undefined ? undefined : budgetOf(budget, clock),
    })
    .then(
      // The reference returns the text or the output, never both, and the usage of the last request.
      ({ text, output, requests }): Outcome => ({
        response: { ...(output === undefined ? { text } : { output: types.data(output) }), usage: requests.at(-1) },
      }),
      (error: unknown): Outcome => ({ error: errorOutcome(error) }),
    );
  const slices = (observe?.session ?? []).map((name) => [name, types.data(session.slice(types.classOf(name)).all())]);
  return {
    ...outcome,
    requests: provider.requests,
    event_order: events,
    slept_seconds: clock.slept.map((milliseconds) => milliseconds / 1_000),
    final: { session: Object.fromEntries(slices) as unknown },
  };
}

/** Plays the script, and writes down each request as the reference's provider saw it. */
class ScriptedProvider implements ModelAdapter {
  readonly name = 'scripted';
  readonly takesOutputSchema = true;
  readonly requests: Outcome[] = [];
  readonly #script: readonly Json[];
  readonly #clock: FakeClock;

  constructor(script: readonly Json[], clock: FakeClock) {
    this.#script = script;
    this.#clock = clock;
  }

  async complete({ messages, toolSchemas }: ModelRequest): Promise<ModelResponse> {
    const step = this.#script[this.requests.length];
    this.requests.push({
      messages: messages.map(messageOutcome),
      tools: toolSchemas('openai').map(({ name }) => name),
    });
    if (step === undefined) throw new TypeError('the script is at its end');
    const { content = null, parsed, tool_calls: calls = [], usage, advance_clock: seconds = 0, throttle } = step;
    if (throttle !== undefined) throw throttled(throttle as Json);
    this.#clock.advance(Number(seconds) * 1_000);
    return {
      text: parsed === undefined ? (content as string | null) : JSON.stringify(parsed),
      toolCalls: (calls as readonly Json[]).map((call) => ({
        id: String(call['id']),
        name: String(call['name']),
        arguments: call['arguments'] as string,
      })),
      finishReason: 'other',
      usage: usage === undefined ? undefined : usageOf(usage as Json),
    };
  }
}

function throttled({ kind = 'unknown', retry_after, retry_safe }: Json): ThrottleError {
  return new ThrottleError('later', {
    kind: kind as ThrottleKind,
    retryAfter: retry_after as number | undefined,
    retrySafe: retry_safe as boolean | undefined,
  });
}

function messageOutcome(message: Message): Outcome {
  switch (message.role) {
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: message.toolCallId,
        content: message.content,
        content_is_failure: message.failed,
      };
    case 'assistant': {
      const calls = message.toolCalls?.map(({ id, name, arguments: given }) => ({
        id,
        type: 'function',
        function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) },
      }));
      return { role: 'assistant', content: message.content, tool_calls: calls };
    }
    default:
      return { ...message };
  }
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { writePlainChange, writePlainData } from '../application/rehearse.js';
import { className } from '../common/classes.js';
import { getOrCreate } from '../common/memoize.js';
import { messageOf } from '../common/text.js';
import type { JsonValue } from '../common/types.js';
import { ApprovalPendingError } from '../error/ApprovalPendingError.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import type { PromptResponse } from '../evaluate/RunOptions.js';
import type { Clock } from '../interface/ports.js';
import type {
  InterceptedInvocation,
  InterceptedProgram,
  InterceptedRequest,
  InterceptedRun,
  InterceptedToolCall,
  Interceptor,
  Next,
} from '../interface/Interceptor.js';
import type { ModelResponse } from '../interface/ModelAdapter.js';
import type { PromptView } from '../interface/PromptView.js';
import type { SessionPort } from '../interface/SessionPort.js';
import type { BoundPrompt } from '../prompt/BoundPrompt.js';
import { Session } from '../session/Session.js';
import { StateWatch } from '../session/state/StateWatch.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import type { BundleEntry } from './BundleEntry.js';
import type { EntryBuffer, NewEntry } from './EntryBuffer.js';
import { RenderingLog } from './RenderingLog.js';
import type { Secrets } from './Secrets.js';

/** Fields of events that the entry or another one has already. */
const LEFT_OUT = new Set(['id', 'time', 'sessionId', 'transcript', 'runMetadata']);

/** Records an application: its runs, requests and calls as an interceptor, and its events as a subscriber. */
export class BundleRecorder implements Interceptor {
  readonly #entries: EntryBuffer;
  readonly #secrets: Secrets;
  readonly #clock: Clock;
  readonly #renderings: RenderingLog;
  readonly #watches = new WeakMap<SessionPort, StateWatch>();
  /** The calls that have not ended, by session and id. */
  readonly #open = new Map<string, number>();
  /** The call within which something happens. */
  readonly #call = new AsyncLocalStorage<number>();
  #isStopped = false;

  constructor(entries: EntryBuffer, secrets: Secrets, clock: Clock) {
    this.#entries = entries;
    this.#secrets = secrets;
    this.#clock = clock;
    this.#renderings = new RenderingLog(entries);
  }

  /** Ends the recording, also of runs that have not ended: a storage that stays on would slow down every promise of the process. */
  stop(): void {
    this.#isStopped = true;
    this.#call.disable();
  }

  async aroundRun(run: InterceptedRun, next: Next<unknown>): Promise<void> {
    if (this.#isStopped) return pass(next);
    const began = this.#clock.monotonic();
    const prompt = `${run.prompt.ns}/${run.prompt.key}`;
    const rendering = run.rendered && this.#renderings.add(prompt, run.rendered);
    const { id, adapter, metadata, conversation, sessionId: session } = run;
    const parent = this.#call.getStore();
    const params = writeParams(run.prompt);
    const entry = { run: id, prompt, rendering, adapter, session, conversation, params, parent };
    const seq = this.#entries.add({ kind: 'run', ...entry, metadata: metadata as JsonValue });
    this.#recordState(run.session, seq);
    let end: Omit<NewEntry<'end'>, 'kind' | 'run' | 'durationMs'> = { how: 'failed', messages: [] };
    try {
      const { transcript: messages, usage, cost, turns } = (await next()) as PromptResponse;
      end = { how: 'answered', messages, usage, cost, turns };
    } catch (error) {
      end = describeEnd(error);
      throw error;
    } finally {
      this.#recordState(run.session, seq);
      this.#entries.add({ kind: 'end', run: id, durationMs: this.#clock.monotonic() - began, ...end });
    }
  }

  async aroundModel(asked: InterceptedRequest, next: Next<ModelResponse>): Promise<void> {
    if (this.#isStopped) return pass(next);
    const { run, turn, request } = asked;
    const began = this.#clock.monotonic();
    const messages =
      turn > 1 ? undefined : run.recorded(request.messages.filter((message) => message.role !== 'system'));
    const entry = { run: run.id, turn };
    const of = this.#entries.add({ kind: 'request', ...entry, count: request.messages.length, messages });
    try {
      const { text, toolCalls, finishReason, usage } = await next();
      const said = { role: 'assistant', content: text, toolCalls } as const;
      const [shown = said] = run.recorded([said]);
      const { content, toolCalls: calls } = shown as typeof said;
      const answer = { text: content, toolCalls: calls, finishReason, usage, prefix: asked.prefix() };
      this.#entries.add({ kind: 'answer', of, ...entry, durationMs: this.#clock.monotonic() - began, ...answer });
    } catch (error) {
      const durationMs = this.#clock.monotonic() - began;
      this.#entries.add({ kind: 'answer', of, ...entry, durationMs, problem: messageOf(error) });
      throw error;
    }
  }

  async aroundCall(incoming: InterceptedToolCall, next: Next<ToolOutcome>): Promise<void> {
    if (this.#isStopped) return pass(next);
    const began = this.#clock.monotonic();
    const { call, caller, turn, tool, sessionId: session } = incoming;
    this.#secrets.add(incoming.secrets?.() ?? []);
    const parent = this.#parentOf(incoming);
    const of = this.#entries.add({
      kind: 'call',
      run: incoming.run?.() ?? '',
      session,
      turn,
      callId: call.id,
      name: call.name,
      arguments: incoming.recordedCall().arguments,
      caller,
      section: tool?.sectionPath,
      parent,
    });
    const key = getPromptKey(session, call.id);
    this.#open.set(key, of);
    const ended = (outcome: ToolOutcome['kind'] | 'thrown', text: string, rest: object = {}): void => {
      this.#open.delete(key);
      const durationMs = this.#clock.monotonic() - began;
      this.#entries.add({ kind: 'outcome', of, outcome, text: incoming.recorded(text), durationMs, ...rest });
      this.#recordState(incoming.session, of);
    };
    try {
      const outcome = await this.#call.run(of, next);
      const { kind, text } = outcome;
      ended(kind, text, kind === 'succeeded' ? {} : { effect: outcome.effect, rolledBack: outcome.rolledBack });
    } catch (error) {
      ended('thrown', messageOf(error));
      throw error;
    }
  }

  async aroundTool({ context, changes }: InterceptedInvocation, next: Next<unknown>): Promise<void> {
    const of = this.#call.getStore();
    if (of === undefined) return pass(next);
    const { attempt } = context.call;
    this.#entries.add({ kind: 'attempt', of, attempt });
    try {
      await next();
    } finally {
      const resources = listChangedResources(changes);
      if (resources.length > 0) this.#entries.add({ kind: 'resources', of, attempt, resources });
    }
  }

  async aroundProgram({ code, attempt, tools }: InterceptedProgram, next: Next<unknown>): Promise<void> {
    if (this.#isStopped) return pass(next);
    this.#entries.add({ kind: 'program', of: this.#call.getStore(), attempt, code, tools });
    await next();
  }

  readonly record = (event: object): void => {
    const { sessionId = '', callId = '' } = event as { readonly sessionId?: string; readonly callId?: string };
    const fields = Object.fromEntries(Object.entries(event).filter(([key]) => !LEFT_OUT.has(key)));
    const of = this.#open.get(getPromptKey(sessionId, callId));
    this.#entries.add({ kind: 'event', type: className(event.constructor), session: sessionId, of, fields });
  };

  #parentOf({ sessionId, parentCallId }: InterceptedToolCall): number | undefined {
    if (parentCallId === undefined) return undefined;
    // Calls of a program arrive from its thread, where the context of asynchronous calls is lost.
    return this.#open.get(getPromptKey(sessionId, parentCallId)) ?? this.#call.getStore();
  }

  #recordState(session: SessionPort | undefined, of: number): void {
    if (!(session instanceof Session)) return;
    const changes = getOrCreate(this.#watches, session, () => new StateWatch(session)).changes();
    if (changes !== undefined) this.#entries.add({ kind: 'state', session: session.id, of, ...changes });
  }
}

async function pass(next: Next<unknown>): Promise<void> {
  await next();
}

/** Returns the writes of a call to resources, also of a call that fails and drops them. */
function listChangedResources(changes: InterceptedInvocation['changes']): BundleEntry<'resources'>['resources'] {
  try {
    return (changes?.() ?? []).map(({ name, changes: all }) => ({
      name,
      changes: all?.map((change) => writePlainChange(change, name)),
    }));
  } catch {
    // A resource that cannot name its changes must not fail a call that is only recorded.
    return [];
  }
}

/** Returns the bound params as plain data without secrets; undefined if there are none. */
function writeParams(prompt: PromptView): Readonly<Record<string, JsonValue>> | undefined {
  // Views are prompts; this one may be of another copy of the package.
  const bound = (prompt as Partial<Pick<BoundPrompt, 'params'>>).params?.bound;
  if (bound === undefined || bound.size === 0) return undefined;
  const written = [...bound].map(([type, values]) => [className(type), writePlainData(values, className(type))]);
  return Object.fromEntries(written) as Readonly<Record<string, JsonValue>>;
}

function getPromptKey(session: string, callId: string): string {
  return JSON.stringify([session, callId]);
}

function describeEnd(error: unknown): Omit<NewEntry<'end'>, 'kind' | 'run' | 'durationMs'> {
  const problem = messageOf(error);
  if (!(error instanceof ToolwrightError)) return { how: 'cancelled', problem, messages: [] };
  const { code, transcript: messages = [], usage } = error;
  return { how: error instanceof ApprovalPendingError ? 'waiting' : 'failed', problem, code, messages, usage };
}

import { type Application, type PromptResponse, type RenderedTool, type RunMetadata, Session } from 'toolwright';
import { Conversation, type RunEntry } from 'toolwright/conversations';
import {
  BoundPrompt,
  evaluateWithListener,
  requireSession,
  type RunListener,
  requirePlainName,
  SharedSessionLink,
  type UserSessionLink,
} from 'toolwright/internal';
import type { RunRecord } from '../records/RunRecords.js';
import type { LiveRuns } from './LiveRuns.js';
import { createHostSessionError } from './runErrors.js';
import type { PreparedRun, RunsOptions } from './RunsOptions.js';

/** A run that was prepared in this process. */
export interface ReadyPrompt extends Omit<PreparedRun, 'prompt' | 'slices'> {
  readonly prompt: BoundPrompt;
  readonly slices: PreparedRun['slices'];
}

/** The session of a run at one moment. */
export interface ReadSession {
  readonly session: Session;
  /** The version of the state. Equal versions mean equal states. */
  readonly version: number;
}

/** Prepares and runs the prompts of one application. */
export class PromptEvaluator {
  readonly #app: Application;
  readonly #options: RunsOptions;
  readonly #live: LiveRuns;

  constructor(app: Application, options: RunsOptions, live: LiveRuns) {
    this.#app = app;
    this.#options = options;
    this.#live = live;
  }

  /** Prepares a run. @throws errors of the option `prepare`, unchanged; PromptError E403 */
  async prepare({ id, conversation, tenant, input }: RunRecord): Promise<ReadyPrompt> {
    const { prompt, slices, ...rest } = await this.#options.prepare({ id, conversation, tenant, input });
    return { ...rest, slices, prompt: prompt instanceof BoundPrompt ? prompt : this.#app.prompt(prompt) };
  }

  /** Computes a hash of the texts and tools before the first message. */
  async fingerprint({ prompt, slices, overridesTag }: ReadyPrompt): Promise<string> {
    const rendered = await prompt.render({ session: new Session({ slices }), overridesTag });
    return rendered.fingerprint;
  }

  /** Lists the tools of a run by name, including tools of closed sections. */
  async tools({ prompt, slices, overridesTag }: ReadyPrompt): Promise<ReadonlyMap<string, RenderedTool>> {
    const session = new Session({ slices });
    const rendered = await prompt.render({ session, overridesTag });
    const closed = rendered.isDisclosing ? await rendered.closedTools(session) : [];
    return new Map([...closed, ...rendered.tools].map((tool) => [tool.name, tool]));
  }

  /**
   * Reads a separate copy of a run's session.
   *
   * @returns the session, and its `version`: the version of a shared session, or else the place of the last change in the log; 0 without
   * any change. With slices of the user, the version of their state is added
   * @throws PromptEvaluationError E709, E726, SessionError E806
   */
  async session(run: RunRecord, ready: ReadyPrompt, entries: readonly RunEntry[]): Promise<ReadSession> {
    const conversation = conversationOf(run.conversation, entries);
    const { session, link } = await this.#openSession(run, ready, conversation);
    conversation.link(session);
    if (link instanceof SharedSessionLink) return { session, version: link.version };
    const changes = entries.map((entry) => 'session' in entry && entry.session !== undefined);
    return { session, version: changes.lastIndexOf(true) + 1 + (link?.version ?? 0) };
  }

  /** Returns the `runMetadata` of every call of the run, rehearsed or not. */
  metadata({ id, conversation, tenant, trace }: RunRecord, { runMetadata }: ReadyPrompt): RunMetadata {
    const labels = { ...(tenant === null ? {} : { tenant }), ...(trace === null ? {} : { traceparent: trace }) };
    return { run: id, conversation, ...labels, ...runMetadata };
  }

  /** Begins or continues a run, whose pieces readers get meanwhile. @throws errors of `app.evaluate`, unchanged; PromptError E413 for a session of the host */
  async evaluate(
    run: RunRecord,
    ready: ReadyPrompt,
    conversation: Conversation,
    signal: AbortSignal,
  ): Promise<PromptResponse> {
    if (this.#options.streams === false) return this.#evaluate(run, ready, conversation, { signal });
    return this.#live.carry(run, conversation, (listener) =>
      this.#evaluate(run, ready, conversation, { signal, listener }),
    );
  }

  async #evaluate(
    run: RunRecord,
    ready: ReadyPrompt,
    conversation: Conversation,
    { signal, listener }: { readonly signal?: AbortSignal; readonly listener?: RunListener } = {},
  ): Promise<PromptResponse> {
    // The types do not allow a session. If it were accepted, it would look like one that the log restores.
    if ((ready as { readonly session?: unknown }).session !== undefined) throw createHostSessionError();
    const {
      prompt,
      slices: _state,
      sharedSession: _shared,
      runMetadata: _ofHost,
      onUnknown = this.#options.onUnknown,
      ...rest
    } = ready;
    const { id, messages } = run;
    const { session } = await this.#openSession(run, ready, conversation);
    const runMetadata = this.metadata(run, ready);
    const options = { ...rest, conversation, messages, signal, onUnknown, runId: id, session, runMetadata };
    return evaluateWithListener(this.#app, prompt, options, listener);
  }

  /**
   * Opens an empty session, which gets its state from the log of the conversation, or a shared session with its state. Slices of the
   * user get theirs.
   */
  async #openSession(
    run: RunRecord,
    ready: ReadyPrompt,
    conversation: Conversation,
  ): Promise<{ readonly session: Session; readonly link?: SharedSessionLink | UserSessionLink }> {
    const { sharedSession } = ready;
    const session = new Session({ slices: ready.slices });
    const { log } = conversation;
    const store = this.#options.store.forTenant(run.tenant);
    const hasUserSlices = session.registry.userSlices.length > 0;
    if (sharedSession === undefined) {
      requireSession(log.entries, undefined);
      if (!hasUserSlices) return { session };
      const { principal } = this.metadata(run, ready);
      return { session, link: await conversation.openMemory(session, principal, store) };
    }
    requirePlainName(sharedSession, hasUserSlices);
    const link = await SharedSessionLink.open(store, sharedSession, { session, log });
    conversation.shareSession(link);
    return { session, link };
  }

  /** Returns the response of an answered run from its log. */
  async evaluateRecorded(run: RunRecord, entries: readonly RunEntry[]): Promise<PromptResponse> {
    return this.#evaluate(run, await this.prepare(run), conversationOf(run.conversation, entries));
  }
}

function conversationOf(id: string, entries: readonly RunEntry[]): Conversation {
  return Conversation.fromJSON({ format: 'toolwright/conversation', version: 1, id, entries });
}

import { isDeepStrictEqual } from 'node:util';
import {
  ToolRefusal,
  type JsonValue,
  type Session,
  type SessionJson,
  type ToolHints,
  type ToolOutcome,
} from 'toolwright';
import { stateAt, type BundleEntry } from 'toolwright/bundles';
import { getEffect } from 'toolwright/internal';
import { isObject } from 'toolwright/internal/light';
import type { InterceptedInvocation, InterceptedToolCall, Interceptor, Next } from 'toolwright/policies';
import type { ToolMetadata, ToolView } from 'toolwright/types';
import type { RecordedCall } from './recordedCalls.js';

/** Outcomes that are decided before a handler would run, so they are judged for every tool. */
const JUDGED = new Set<ToolOutcome['kind']>(['rejected', 'denied', 'unknown']);

export interface RecordedAnswersParts {
  /** The calls of the recorded run by their ids. */
  readonly calls: ReadonlyMap<string, RecordedCall>;
  /** The entries of the recorded bundle, and the id of the recorded session. */
  readonly entries: readonly BundleEntry[];
  readonly session: string;
  /** The prompt's present tools by their names. */
  readonly tools: ReadonlyMap<string, ToolMetadata>;
}

/**
 * Keeps the handlers of a replay from acting outside: a call that may do so is answered from the record. Its handler does not run, and
 * the session gets the recorded changes.
 */
export class RecordedAnswers implements Interceptor {
  readonly #parts: RecordedAnswersParts;
  /** The calls whose handlers must not run. */
  readonly #held = new Set<string>();
  readonly #answered = new Map<string, string>();
  #isStateKnown = true;

  constructor(parts: RecordedAnswersParts) {
    this.#parts = parts;
  }

  /** The names of the tools that were answered from the record, by the ids of the calls. */
  get answered(): ReadonlyMap<string, string> {
    return this.#answered;
  }

  /** False if recorded changes could not be put into the session. */
  get isStateKnown(): boolean {
    return this.#isStateKnown;
  }

  async aroundCall(incoming: InterceptedToolCall, next: Next<ToolOutcome>): Promise<void> {
    const { call, tool, parentCallId, run } = incoming;
    const isOfModel = parentCallId === undefined || parentCallId === run?.();
    const recorded = isOfModel ? this.#parts.calls.get(call.id) : undefined;
    const isHeld = recorded !== undefined && tool !== undefined && this.#isHeld(recorded, tool);
    if (!isHeld) {
      await next();
      return;
    }
    this.#held.add(call.id);
    const session = incoming.session as Session | undefined;
    const before = this.#readSession(session);
    const { kind } = await next();
    if (JUDGED.has(kind) && !recorded.isHidden) return;
    this.#answered.set(call.id, call.name);
    if (session !== undefined && before !== undefined) this.#changeSession(session, before, recorded);
  }

  async aroundTool({ call }: InterceptedInvocation, next: Next<unknown>): Promise<void> {
    if (this.#held.has(call.id)) throw new ToolRefusal('The call is answered from the record.');
    await next();
  }

  #isHeld({ outcome, isHidden, nested, startsRuns }: RecordedCall, tool: ToolView): boolean {
    if (mayActOutside(tool.hints) || startsRuns || outcome === undefined || outcome.outcome === 'thrown') return true;
    const { tools } = this.#parts;
    // A replay has no person to ask, and approves every call.
    const isDenied = outcome.outcome === 'denied' && (tools.get(tool.name)?.guardrails.approvals.length ?? 0) > 0;
    const inner = nested.flatMap((name) => tools.get(name) ?? []);
    return isHidden || isDenied || inner.some(({ hints }) => mayActOutside(hints));
  }

  #readSession(session: Session | undefined): SessionJson | undefined {
    try {
      return session?.toJSON({ logs: true });
    } catch {
      this.#isStateKnown = false;
      return undefined;
    }
  }

  /** @param before the session before the call: reducers may have counted the call as a failed one meanwhile */
  #changeSession(session: Session, before: SessionJson, { within }: RecordedCall): void {
    const { entries, session: id } = this.#parts;
    const changes = entries.filter((entry) => entry.kind === 'state').filter(({ of }) => within.has(of));
    const recorded = stateAt(entries, id, changes[0]?.seq);
    const slices = new Map<string, readonly JsonValue[]>(Object.entries(before.slices));
    const isReadable = (name: string, values: readonly JsonValue[]): boolean =>
      session.registry.ofName(name) !== undefined && values.every(isObject);
    for (const { replaced = {}, appended = {} } of changes) {
      // A slice that differs already keeps its difference, so that it shows at the end of the run.
      for (const [name, values] of Object.entries(replaced))
        if (isReadable(name, values) && isDeepStrictEqual(before.slices[name] ?? [], recorded[name] ?? []))
          slices.set(name, values);
      for (const [name, values] of Object.entries(appended))
        if (isReadable(name, values)) slices.set(name, [...(slices.get(name) ?? []), ...values]);
    }
    try {
      session.load({ ...before, slices: Object.fromEntries(slices) });
    } catch {
      this.#isStateKnown = false;
    }
  }
}

/** Checks for a tool whose handler may act outside, or reads what an edit of this application does not change. */
function mayActOutside(hints: ToolHints): boolean {
  return hints.openWorld === true || getEffect(hints) !== 'none';
}

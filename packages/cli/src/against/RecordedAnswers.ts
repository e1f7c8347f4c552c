import { ToolRefusal, type JsonValue, type Session, type ToolHints, type ToolOutcome } from 'toolwright';
import type { BundleEntry } from 'toolwright/bundles';
import { getEffect, HIDDEN, type RenderedTool } from 'toolwright/internal';
import { isObject } from 'toolwright/internal/light';
import type { InterceptedInvocation, InterceptedToolCall, Interceptor, Next } from 'toolwright/policies';
import type { RecordedCall } from './recordedCalls.js';

/** Outcomes that are decided before a handler would run, so they are judged for every tool. */
const JUDGED = new Set<ToolOutcome['kind']>(['rejected', 'denied', 'unknown']);

export interface RecordedAnswersParts {
  /** The calls of the recorded run by their ids. */
  readonly calls: ReadonlyMap<string, RecordedCall>;
  /** The changes of the recorded session. */
  readonly states: readonly BundleEntry<'state'>[];
  /** The hints of the prompt's present tools, by their names. */
  readonly hints: ReadonlyMap<string, ToolHints>;
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
    const isHeld = recorded !== undefined && tool !== undefined && this.#isHeld(recorded, tool as RenderedTool);
    if (isHeld) this.#held.add(call.id);
    const { kind } = await next();
    if (!isHeld || JUDGED.has(kind)) return;
    this.#answered.set(call.id, call.name);
    this.#changeSession(incoming.session as Session | undefined, recorded);
  }

  async aroundTool({ call }: InterceptedInvocation, next: Next<unknown>): Promise<void> {
    if (this.#held.has(call.id)) throw new ToolRefusal('The call is answered from the record.');
    await next();
  }

  #isHeld({ call, outcome, nested, startsRuns }: RecordedCall, tool: RenderedTool): boolean {
    if (getEffect(tool.hints) !== 'none' || startsRuns || outcome === undefined || outcome.outcome === 'thrown')
      return true;
    const isHidden = call.leftOut !== undefined || JSON.stringify(call.arguments).includes(HIDDEN);
    // A replay has no person to ask, and approves every call.
    const isDenied = outcome.outcome === 'denied' && tool.metadata.guardrails.approvals.length > 0;
    const mayActOutside = (name: string): boolean => {
      const hints = this.#parts.hints.get(name);
      return hints !== undefined && getEffect(hints) !== 'none';
    };
    return isHidden || isDenied || nested.some(mayActOutside);
  }

  #changeSession(session: Session | undefined, { within }: RecordedCall): void {
    const changes = this.#parts.states.filter(({ of }) => within.has(of));
    if (session === undefined || changes.length === 0) return;
    try {
      const json = session.toJSON({ logs: true });
      const slices = new Map<string, readonly JsonValue[]>(Object.entries(json.slices));
      const isKnown = (name: string, values: readonly JsonValue[]): boolean =>
        session.registry.ofName(name) !== undefined && values.every(isObject);
      for (const { replaced = {}, appended = {} } of changes) {
        for (const [name, values] of Object.entries(replaced)) if (isKnown(name, values)) slices.set(name, values);
        for (const [name, values] of Object.entries(appended))
          if (isKnown(name, values)) slices.set(name, [...(slices.get(name) ?? []), ...values]);
      }
      session.load({ ...json, slices: Object.fromEntries(slices) });
    } catch {
      this.#isStateKnown = false;
    }
  }
}

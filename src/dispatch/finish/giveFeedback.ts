import { isInstance } from '../../common/classes.js';
import { MAX_FEEDBACK_MS } from '../../common/limits.js';
import { describeValue, messageOf, ensureWellFormed } from '../../common/text.js';
import type { FeedbackProvider } from '../../interface/FeedbackProvider.js';
import type { FeedbackSchedule } from '../../policy/FeedbackSchedule.js';
import { fileExists } from '../../policy/fileExists.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import type { GuardedCall } from '../admit/IncomingCall.js';
import type { DispatchContext, DispatchServices } from '../DispatchContext.js';
import { HandlerCallInfo } from '../HandlerCallInfo.js';
import type { HandlerContext } from '../attempt/HandlerContext.js';
import { logError } from './logError.js';
import { openReadOnlyContext } from '../attempt/createReadOnlyContext.js';
import { Cancelled, raceLimits, TimedOut } from '../../limit/raceLimits.js';

interface ScheduledProvider {
  /** The index of the provider among the providers of the tool. */
  readonly by: number;
  readonly provider: FeedbackProvider;
  readonly schedule: FeedbackSchedule;
  /** The number of the call among the calls of the session that the provider counts. */
  readonly ordinal: number;
}

/** A call, and the providers that may give feedback after it. */
export interface ScheduledFeedback {
  readonly call: GuardedCall;
  readonly providers: readonly ScheduledProvider[];
}

export interface GivenFeedback {
  /** The index of the provider among the providers of the tool. */
  readonly by: number;
  readonly provider: string;
  readonly text: string;
}

/** A call that has ended, as its feedback providers see it. */
interface EndedCall {
  readonly call: GuardedCall;
  readonly params: unknown;
  readonly outcome: ToolOutcome;
}

/** Counts a call for each feedback provider, unless a handler makes it: the model does not read its outcome. */
export function scheduleFeedback(call: GuardedCall): ScheduledFeedback | undefined {
  const { services, tool, run, place } = call;
  if (tool.metadata.guardrails.feedback.length === 0 || (place.parentCall ?? run.parentCall) !== undefined)
    return undefined;
  return { call, providers: countCall(services, tool, run) };
}

function countCall(services: DispatchServices, tool: RenderedTool, run: DispatchContext): readonly ScheduledProvider[] {
  const session = run.session.thawed ?? run.session;
  const now = services.clock.monotonic();
  return tool.metadata.guardrails.feedback.map((provider, by) => {
    const schedule = services.schedules.of(session, provider, now);
    return { by, provider, schedule, ordinal: schedule.count() };
  });
}

/** Counts a call that an earlier process made, and the feedback that followed it. */
export function restoreFeedback(
  services: DispatchServices,
  tool: RenderedTool | undefined,
  run: DispatchContext,
  spoke: readonly number[],
): void {
  if (tool === undefined || run.parentCall !== undefined) return;
  for (const { by, schedule } of countCall(services, tool, run))
    if (spoke.includes(by)) schedule.recall(services.clock.monotonic());
}

/** Asks the providers that are due after a call. Drops feedback that comes too late. */
export async function giveFeedback(
  { call, providers }: ScheduledFeedback,
  params: unknown,
  outcome: ToolOutcome,
): Promise<readonly GivenFeedback[]> {
  const { tool, redaction } = call;
  const given: GivenFeedback[] = [];
  for (const scheduled of providers) {
    const provider = scheduled.provider.name;
    const failed = (why: string, error?: unknown): void => {
      logError(call, 'warn', `Feedback provider ${provider} failed after ${tool.name}: ${why}`, error);
    };
    try {
      const said = await askProvider({ call, params, outcome }, scheduled);
      if (typeof said !== 'string') {
        if (said !== undefined) failed(`it gave ${describeValue(said)} in place of a text`);
        continue;
      }
      const text = ensureWellFormed(redaction === undefined ? said.trim() : redaction.spoken(said.trim()));
      if (text !== '') given.push({ by: scheduled.by, provider, text });
    } catch (error) {
      failed(describeReason(error), error);
    }
  }
  return given;
}

/** Returns the provider's feedback; undefined if it is not due or has none. */
async function askProvider(ended: EndedCall, scheduled: ScheduledProvider): Promise<unknown> {
  const { run, call, place } = ended.call;
  const readOnly = openReadOnlyContext(ended.call, new HandlerCallInfo(call, run, place, 1));
  try {
    // Without the deadline: some providers speak about a deadline that has passed.
    return await raceLimits(
      requestFeedback(ended, scheduled, readOnly.context),
      { signal: run.signal },
      { timeoutMs: MAX_FEEDBACK_MS, signal: readOnly.signal },
    );
  } finally {
    await readOnly.close();
  }
}

async function requestFeedback(
  { call: { services, tool, call }, params, outcome }: EndedCall,
  { provider, schedule, ordinal }: ScheduledProvider,
  context: HandlerContext,
): Promise<unknown> {
  const hasFile = async (path: string): Promise<boolean> => {
    const { filesystem } = context;
    return filesystem !== null && (await fileExists(filesystem, path));
  };
  const isDue = await schedule.isDue(provider.trigger, { call: ordinal, now: services.clock.monotonic(), hasFile });
  return isDue ? provider.provide({ tool, call, params }, outcome, context) : undefined;
}

function describeReason(error: unknown): string {
  if (isInstance(error, TimedOut)) return `it gave no answer within ${String(error.milliseconds)} ms`;
  return isInstance(error, Cancelled) ? 'the caller gave up' : messageOf(error);
}

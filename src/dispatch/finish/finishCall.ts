import type { Awaitable } from '../../common/types.js';
import { ensureWellFormed } from '../../common/text.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import type { ToolResult } from '../../value/ToolResult.js';
import { writeCallContent } from '../idempotencyKey.js';
import { giveFeedback, type ScheduledFeedback } from './giveFeedback.js';
import type { IncomingCall } from '../admit/IncomingCall.js';
import { appendFeedback, appendNote, describeEdit } from './outcomeTexts.js';
import type { AttemptResult } from './outcomes.js';
import { publishFeedback, publishOutcome, type OutcomeTexts } from './publishEvents.js';
import { renderParts, renderResult, renderValue } from './renderResult.js';
import { shortenJson } from './shortenText.js';
import { describeRepairs } from '../admit/repairTexts.js';
import { createSerialiser } from '../../schema/write/createSerialiser.js';

/**
 * Records, publishes and returns the outcome of a call: the last step of a dispatch (docs/contract.md, 7.8).
 *
 * @param scheduled the providers that may add feedback to the outcome; without them, nothing is awaited
 * @throws the error of a result that escapes
 */
export function finishCall(
  incoming: IncomingCall,
  params: unknown,
  callResult: AttemptResult,
  scheduled?: ScheduledFeedback,
): Awaitable<ToolOutcome> {
  const { result, error, isSilent } = callResult;
  if (result === null) incoming.services.redaction.rememberEscape(error, incoming.redaction);
  if (isSilent === true) throw error;
  const texts = result === null ? NO_TEXTS : renderTexts(incoming, callResult, result);
  const outcome = result === null ? undefined : createOutcome(incoming, callResult, result, texts);
  if (outcome !== undefined && scheduled !== undefined)
    return completeOutcome(scheduled, params, outcome, { callResult, texts });
  publishOutcome(incoming, params, callResult, texts);
  if (outcome === undefined) throw error;
  return recordOutcome(incoming, outcome, NO_FEEDBACK);
}

/** The texts of an error that escapes. */
const NO_TEXTS: OutcomeTexts = Object.freeze({ renderedOutput: '', toolMessage: '', parts: undefined });
const NO_FEEDBACK: readonly number[] = Object.freeze([]);

/** Records the outcome of a call that was not made within another; awaits nothing unless the record must be durable at once. */
function recordOutcome(
  { place: { record, parentCall, position }, call }: IncomingCall,
  outcome: ToolOutcome,
  spoke: readonly number[],
): Awaitable<ToolOutcome> {
  const ended = parentCall === undefined ? record?.end(Number(position), call, outcome, spoke) : undefined;
  return ended === undefined ? outcome : ended.then(() => outcome);
}

/** Adds feedback to an outcome, then publishes and records it. @throws PromptEvaluationError E709 */
async function completeOutcome(
  scheduled: ScheduledFeedback,
  params: unknown,
  outcome: ToolOutcome,
  { callResult, texts }: { readonly callResult: AttemptResult; readonly texts: OutcomeTexts },
): Promise<ToolOutcome> {
  const { call } = scheduled;
  const given = await giveFeedback(scheduled, params, outcome);
  const said = given.map(({ text }) => text);
  const whole = given.length === 0 ? outcome : { ...outcome, text: appendFeedback(outcome.text, said) };
  publishOutcome(call, params, callResult, { ...texts, toolMessage: whole.text });
  for (const feedback of given) publishFeedback(call, feedback);
  const spoke = given.map(({ by }) => by);
  return recordOutcome(call, whole, spoke);
}

/** Renders the value as text, the whole text that the model reads, and the parts after it. */
function renderTexts(incoming: IncomingCall, { kind, json }: AttemptResult, result: ToolResult): OutcomeTexts {
  const { services, call, tool, redaction, repairs, place } = incoming;
  const { fieldNames = 'as-is', result: declared, resultLimit: limit = services.resultLimit } = tool?.metadata ?? {};
  const value =
    json === undefined
      ? renderValue(result.value, { serialiser: createSerialiser(fieldNames), limit, declared })
      : shortenJson(json, limit);
  const output = ensureWellFormed(value);
  const whole = renderResult(result, output);
  const rendered = whole === output ? output : ensureWellFormed(whole);
  const repaired =
    repairs === undefined || kind === 'rejected' ? rendered : appendNote(rendered, describeRepairs(repairs));
  const isEdited = place.asked !== undefined && writeCallContent(place.asked) !== writeCallContent(call);
  const written = isEdited ? appendNote(repaired, writeEdit(incoming, limit)) : repaired;
  return {
    renderedOutput: output,
    toolMessage: redaction === undefined ? written : redaction.spoken(written),
    parts:
      kind === 'succeeded' && result.parts !== undefined
        ? renderParts(result.parts, limit, redaction?.spoken)
        : undefined,
  };
}

/** Names the arguments that a person wrote in place of the model's, as a transcript may show them. */
function writeEdit({ call, redaction }: IncomingCall, limit: number): string {
  const shown = redaction?.redactArguments(call.arguments) ?? call.arguments;
  return describeEdit(shortenJson(typeof shown === 'string' ? shown : JSON.stringify(shown), limit));
}

function createOutcome(
  { place, redaction }: IncomingCall,
  callResult: AttemptResult,
  result: ToolResult,
  { toolMessage: text, parts }: OutcomeTexts,
): ToolOutcome {
  const { kind, error, effect, rolledBack, reason = result.message } = callResult;
  if (kind === 'succeeded') return parts === undefined ? { kind, result, text } : { kind, result, text, parts };
  const spoken = redaction === undefined ? reason : redaction.spoken(reason);
  return {
    kind,
    result,
    text,
    ...('error' in callResult ? { error } : {}),
    ...(effect === undefined ? {} : { effect }),
    ...(rolledBack === undefined ? {} : { rolledBack }),
    ...(callResult.opened === undefined ? {} : { opened: callResult.opened }),
    ...(callResult.tools === undefined ? {} : { tools: callResult.tools }),
    ...(place.program === undefined ? {} : { reason: spoken }),
  };
}

import type { Awaitable } from '../../common/types.js';
import { ensureWellFormed } from '../../common/text.js';
import type { ContentPart } from '../../value/ContentPart.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import type { ToolResult } from '../../value/ToolResult.js';
import type { DispatchServices } from '../CallRun.js';
import { giveFeedback, type ScheduledFeedback } from './giveFeedback.js';
import type { IncomingCall } from '../admit/IncomingCall.js';
import { appendFeedback, appendNote } from './outcomeTexts.js';
import type { AttemptResult } from './outcomes.js';
import { publishFeedback, publishOutcome } from './publishEvents.js';
import { renderParts, renderResult, renderValue } from './renderResult.js';
import { describeRepairs } from '../admit/repairTexts.js';
import { createSerialiser } from '../../schema/write/createSerialiser.js';

/**
 * Records, publishes and returns the outcome of a call: the last step of a dispatch (docs/contract.md, 7.8).
 *
 * @param scheduled the providers that may add feedback to the outcome; without them, nothing is awaited
 * @throws the error of a result that escapes
 */
export function finishCall(
  services: DispatchServices,
  incoming: IncomingCall,
  params: unknown,
  callResult: AttemptResult,
  scheduled?: ScheduledFeedback,
): Awaitable<ToolOutcome> {
  const { kind, result, error, isSilent } = callResult;
  if (result === null) services.redaction.rememberEscape(error, incoming.redaction);
  if (isSilent === true) throw error;
  const { output, text } = renderTexts(services, incoming, callResult);
  const parts = kind === 'succeeded' ? renderResultParts(services, incoming, result) : undefined;
  const finished = (toolMessage: string): void => {
    publishOutcome(services, incoming, params, callResult, { renderedOutput: output, toolMessage, parts });
  };
  if (result === null) {
    finished(text);
    throw error;
  }
  const outcome = createOutcome(incoming, callResult, result, { text, parts });
  if (scheduled !== undefined) return completeOutcome(services, { ...incoming, params, outcome }, scheduled, finished);
  finished(text);
  return recordOutcome(incoming, outcome, []);
}

/** Records the outcome of a call that was not made within another; awaits nothing unless the record must be durable at once. */
function recordOutcome(
  { place: { record, parentCall, position }, call }: IncomingCall,
  outcome: ToolOutcome,
  spoke: readonly number[],
): Awaitable<ToolOutcome> {
  const ended = parentCall === undefined ? record?.end(Number(position), call, outcome, spoke) : undefined;
  return ended === undefined ? outcome : ended.then(() => outcome);
}

/**
 * Adds feedback to an outcome, then publishes and records it.
 *
 * @throws PromptEvaluationError E709
 */
async function completeOutcome(
  services: DispatchServices,
  ended: IncomingCall & { readonly params: unknown; readonly outcome: ToolOutcome },
  scheduled: ScheduledFeedback,
  finished: (toolMessage: string) => void,
): Promise<ToolOutcome> {
  const { tool, outcome } = ended;
  const given = tool === undefined ? [] : await giveFeedback(services, { ...ended, tool }, scheduled);
  const texts = given.map(({ text }) => text);
  const whole = given.length === 0 ? outcome : { ...outcome, text: appendFeedback(outcome.text, texts) };
  finished(whole.text);
  for (const feedback of given) publishFeedback(services, ended, feedback);
  const spoke = given.map(({ by }) => by);
  return recordOutcome(ended, whole, spoke);
}

/** Renders the value as text, and the whole text that the model reads; both are empty for an error that escapes. */
function renderTexts(
  { resultLimit }: DispatchServices,
  { tool, redaction, repairs }: IncomingCall,
  { kind, result }: AttemptResult,
): { readonly output: string; readonly text: string } {
  if (result === null) return { output: '', text: '' };
  const { fieldNames = 'as-is', result: declared, resultLimit: limit = resultLimit } = tool?.metadata ?? {};
  const rules = { serialiser: createSerialiser(fieldNames), limit, declared };
  const output = ensureWellFormed(renderValue(result.value, rules));
  const rendered = ensureWellFormed(renderResult(result, output));
  const written =
    repairs === undefined || kind === 'rejected' ? rendered : appendNote(rendered, describeRepairs(repairs));
  return { output, text: redaction === undefined ? written : redaction.spoken(written) };
}

/** Renders the parts for the model: limits texts and names like values, and removes the secrets of the call. */
function renderResultParts(
  { resultLimit }: DispatchServices,
  { tool, redaction }: IncomingCall,
  result: ToolResult | null,
): readonly ContentPart[] | undefined {
  if (result?.parts === undefined) return undefined;
  const limit = tool?.metadata.resultLimit ?? resultLimit;
  return renderParts(result.parts, limit, (text) => redaction?.spoken(text) ?? text);
}

function createOutcome(
  { place, redaction }: IncomingCall,
  callResult: AttemptResult,
  result: ToolResult,
  { text, parts }: { readonly text: string; readonly parts: readonly ContentPart[] | undefined },
): ToolOutcome {
  const { kind, error, effect, rolledBack, reason = result.message } = callResult;
  if (kind === 'succeeded') return { kind, result, text, ...(parts === undefined ? {} : { parts }) };
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

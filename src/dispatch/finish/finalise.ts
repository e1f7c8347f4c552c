import type { Awaitable } from '../../common/types.js';
import { wellFormed } from '../../common/wellFormed.js';
import type { ContentPart } from '../../value/ContentPart.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import type { ToolResult } from '../../value/ToolResult.js';
import type { DispatchServices } from '../CallRun.js';
import { giveFeedback, type ScheduledFeedback } from './giveFeedback.js';
import type { IncomingCall } from '../admit/IncomingCall.js';
import { textWithFeedback, textWithNote } from './messages.js';
import type { CallResult } from './outcomes.js';
import { publishFeedback, publishOutcome } from './publish.js';
import { renderParts, renderResult, renderValue } from './renderResult.js';
import { repairedNote } from '../admit/repairTexts.js';
import { serialiserOf } from '../../schema/write/serialise.js';

/**
 * Records, publishes and returns the outcome of a call: the last step of a dispatch (docs/contract.md, 7.8).
 *
 * @param scheduled the feedback providers whose texts follow the outcome; without any, nothing is awaited
 * @throws the error of a result that escapes
 */
export function finalise(
  services: DispatchServices,
  incoming: IncomingCall,
  params: unknown,
  callResult: CallResult,
  scheduled?: ScheduledFeedback,
): Awaitable<ToolOutcome> {
  const { kind, result, error, isSilent } = callResult;
  if (result === null) services.redaction.escapes(error, incoming.redaction);
  if (isSilent === true) throw error;
  const { output, text } = textsOf(services, incoming, callResult);
  const parts = kind === 'succeeded' ? partsOf(services, incoming, result) : undefined;
  const finished = (toolMessage: string): void => {
    publishOutcome(services, incoming, params, callResult, { renderedOutput: output, toolMessage, parts });
  };
  if (result === null) {
    finished(text);
    throw error;
  }
  const outcome = outcomeOf(incoming, callResult, result, { text, parts });
  if (scheduled !== undefined) return complete(services, { ...incoming, params, outcome }, scheduled, finished);
  finished(text);
  return recorded(incoming, outcome, []);
}

/** Records the outcome of a call that no other one made; nothing is awaited unless it has to be safe at once. */
function recorded(
  { place: { record, parentCall, position }, call }: IncomingCall,
  outcome: ToolOutcome,
  spoke: readonly number[],
): Awaitable<ToolOutcome> {
  const ended = parentCall === undefined ? record?.end(Number(position), call, outcome, spoke) : undefined;
  return ended === undefined ? outcome : ended.then(() => outcome);
}

/** Adds the feedback to an outcome, publishes it, and records it. @throws PromptEvaluationError E709 */
async function complete(
  services: DispatchServices,
  ended: IncomingCall & { readonly params: unknown; readonly outcome: ToolOutcome },
  scheduled: ScheduledFeedback,
  finished: (toolMessage: string) => void,
): Promise<ToolOutcome> {
  const { tool, outcome } = ended;
  const given = tool === undefined ? [] : await giveFeedback(services, { ...ended, tool }, scheduled);
  const texts = given.map(({ text }) => text);
  const whole = given.length === 0 ? outcome : { ...outcome, text: textWithFeedback(outcome.text, texts) };
  finished(whole.text);
  for (const feedback of given) publishFeedback(services, ended, feedback);
  const spoke = given.map(({ by }) => by);
  return recorded(ended, whole, spoke);
}

/** The value as text, and the whole text that the model reads; both empty for an error that escapes. */
function textsOf(
  { resultLimit }: DispatchServices,
  { tool, redaction, repairs }: IncomingCall,
  { kind, result }: CallResult,
): { readonly output: string; readonly text: string } {
  if (result === null) return { output: '', text: '' };
  const { fieldNames = 'as-is', result: declared, resultLimit: limit = resultLimit } = tool?.metadata ?? {};
  const rules = { serialiser: serialiserOf(fieldNames), limit, declared };
  const output = wellFormed(renderValue(result.value, rules));
  const rendered = wellFormed(renderResult(result, output));
  const written =
    repairs === undefined || kind === 'rejected' ? rendered : textWithNote(rendered, repairedNote(repairs));
  return { output, text: redaction === undefined ? written : redaction.spoken(written) };
}

/** The parts that the model gets: their texts and names within the limit of values, and without the secrets of the call. */
function partsOf(
  { resultLimit }: DispatchServices,
  { tool, redaction }: IncomingCall,
  result: ToolResult | null,
): readonly ContentPart[] | undefined {
  if (result?.parts === undefined) return undefined;
  const limit = tool?.metadata.resultLimit ?? resultLimit;
  return renderParts(result.parts, limit, (text) => redaction?.spoken(text) ?? text);
}

function outcomeOf(
  { place, redaction }: IncomingCall,
  callResult: CallResult,
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
    ...(callResult.tools === undefined ? {} : { tools: callResult.tools }),
    ...(place.program === undefined ? {} : { reason: spoken }),
  };
}

import type { OutputReader } from '../builder/OutputReader.js';
import { messageOf } from '../common/text.js';
import type { DispatchServices } from '../dispatch/CallRun.js';
import { ApprovalPendingError } from '../error/ApprovalPendingError.js';
import { BudgetExceededError } from '../error/BudgetExceededError.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import { beginConversation, addMessages } from '../evaluate/conversation/beginConversation.js';
import { beginRun } from '../evaluate/conversation/beginRun.js';
import { Conversation } from '../evaluate/conversation/Conversation.js';
import { createEndedError } from '../evaluate/conversation/conversationErrors.js';
import type { RunLog } from '../evaluate/conversation/RunLog.js';
import type { Evaluator } from '../evaluate/Evaluator.js';
import { publishStop } from '../evaluate/publishRun.js';
import { UsageAccount } from '../evaluate/UsageAccount.js';
import type { EvaluateOptions, PromptResponse } from '../evaluate/RunOptions.js';
import { waitWithinRun } from '../evaluate/waitWithinRun.js';
import type { EmitStep } from '../interface/RunStep.js';
import { BoundPrompt } from '../prompt/BoundPrompt.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import { Session } from '../session/Session.js';
import { requireConversation, requireHistory } from './requireArguments.js';
import { createAudience, createRun } from './createRun.js';

/** The parts of an application that a run uses. */
interface EvaluationParts {
  readonly services: DispatchServices;
  readonly evaluator: Pick<Evaluator, 'evaluate'>;
  readonly outputs: OutputReader;
}

/** The options of a run with its session and budget tracker. */
interface BegunOptions extends EvaluateOptions {
  readonly session: Session;
  readonly account: UsageAccount;
}

/** Runs the loop for a prompt, in the conversation of the options or in a temporary one. */
export async function evaluatePrompt(
  parts: EvaluationParts,
  prompt: BoundPrompt | RenderedPrompt,
  options: EvaluateOptions,
  emit?: EmitStep,
): Promise<PromptResponse> {
  const { conversation, session = new Session() } = options;
  const account = new UsageAccount(session);
  const begin = { ...options, session, account };
  return account.runCounted(async () => {
    if (conversation !== undefined) requireConversation('app.evaluate', conversation);
    try {
      if (conversation === undefined) return await evaluateOnce(parts, prompt, begin, emit);
      conversation.take();
      try {
        return await evaluateIn(parts, conversation, prompt, begin, emit);
      } finally {
        conversation.giveBack();
      }
    } catch (error) {
      // A run that has begun has reported its prompt already.
      const { ns, key } = BoundPrompt.is(prompt) ? prompt : prompt.prompt;
      publishStop(parts.services, { ...createAudience(begin), rendered: { prompt: { ns, key } } }, error, account);
      throw error;
    }
  });
}

async function evaluateOnce(
  parts: EvaluationParts,
  prompt: BoundPrompt | RenderedPrompt,
  options: BegunOptions,
  emit: EmitStep | undefined,
): Promise<PromptResponse> {
  const { evaluator, services } = parts;
  const { adapter, messages, runId, session } = options;
  const rendered = await waitWithinRun(renderForRun(prompt, session, options), options, 'the prompt was rendered');
  const run = createRun(rendered, options, () => runId ?? services.ids());
  const { form, output } = chooseOutput(parts, rendered, options);
  await adapter.checkContent?.(messages ?? []);
  const conversation = Conversation.once();
  await beginConversation(conversation, { rendered, session, adapter, output, limits: run });
  addMessages(conversation, messages);
  return evaluator.evaluate(run, { ...options, conversation, messages: conversation.messages, output: form, emit });
}

async function evaluateIn(
  parts: EvaluationParts,
  conversation: Conversation,
  prompt: BoundPrompt | RenderedPrompt,
  options: BegunOptions,
  emit: EmitStep | undefined,
): Promise<PromptResponse> {
  const { evaluator, services } = parts;
  const { adapter, messages, runId, session, onUnknown = 'fail' } = options;
  // First, because rendering may read the state that the log restores.
  const link = conversation.link(session);
  const past = runId === undefined ? undefined : conversation.findEndedRun(runId);
  if (past !== undefined) {
    if (past.end.how !== 'answered') throw createEndedError(conversation.id, past.end);
    // Everything is recorded, so nothing is asked or run again: the caller only missed the response.
    return evaluateIn(parts, past.before, prompt, { ...options, messages: undefined }, emit);
  }
  const rendered = await waitWithinRun(renderForRun(prompt, session, options), options, 'the prompt was rendered');
  requireHistory('app.evaluate', options, rendered);
  // After it is recorded, content that the provider refuses would fail this run and every later one.
  await adapter.checkContent?.(messages ?? []);
  const { form, output } = chooseOutput(parts, rendered, options);
  const { id, log: entries } = conversation;
  const run = createRun(rendered, options, () => log.run, { conversation: id, tenant: entries.tenant });
  const start = { rendered, session, adapter, output, limits: run, messages, runId, link, onUnknown };
  const log = await beginRun(services, conversation, start);
  try {
    const response = await evaluator.evaluate(run, {
      ...options,
      conversation,
      log,
      messages: conversation.messages,
      output: form,
      emit,
    });
    await log.close('answered');
    return response;
  } catch (error) {
    // So that the next worker does not repeat finished work. A worker that was shut out has nothing to add.
    if (conversation.isReleased) await log.flush()?.catch(() => undefined);
    else await endConversationRun(error, log, options.signal?.aborted === true, services);
    throw error;
  }
}

/**
 * Leaves the conversation in a state in which it can continue. A run that waits for a reply stays open; every other run
 * ends. If the end cannot be recorded, the run stays open as well. The original error matters more to the caller, so
 * the second failure is logged.
 *
 * @throws PromptEvaluationError E709 if the question of a run that waits cannot be recorded
 */
async function endConversationRun(
  error: unknown,
  log: RunLog,
  isCancelled: boolean,
  { logger, redaction }: Pick<DispatchServices, 'logger' | 'redaction'>,
): Promise<void> {
  // The log cannot be written, another conversation changed a shared session, or a person has to answer first.
  if (PromptEvaluationError.is(error) && ['E709', 'E755', 'E731'].includes(error.code)) return;
  if (ApprovalPendingError.is(error)) return log.park(error);
  try {
    const problem = messageOf(redaction.redact(error));
    await log.close(isCancelled ? 'cancelled' : 'failed', problem, false, createLimitError(error));
  } catch (fault) {
    logger.error(`The end of the run ${log.run} could not be recorded: ${messageOf(fault)}`, { error: fault });
  }
}

/** Returns the limit that ended a run, as a sentence for the model, or undefined if something else ended it. */
function createLimitError(error: unknown): string | undefined {
  if (!PromptEvaluationError.is(error)) return undefined;
  if (error.code === 'E605') return 'The deadline had passed.';
  return BudgetExceededError.is(error.cause) ? error.cause.message : undefined;
}

function renderForRun(
  prompt: BoundPrompt | RenderedPrompt,
  session: Session,
  { overridesTag }: EvaluateOptions,
): Promise<RenderedPrompt> {
  return BoundPrompt.is(prompt) ? prompt.render({ session, overridesTag }) : Promise.resolve(prompt);
}

/** Returns the output that the run declares, which replaces the output of the prompt. */
function chooseOutput({ outputs }: EvaluationParts, rendered: RenderedPrompt, { output }: EvaluateOptions) {
  const form = output === undefined ? undefined : outputs.read(output, rendered.metadata);
  return { form, output: form ?? rendered.metadata.output };
}

import type { OutputReader } from '../builder/OutputReader.js';
import type { DispatchContext } from '../dispatch/DispatchContext.js';
import type { EvaluateOptions, PromptResponse } from './RunOptions.js';
import { BoundPrompt } from '../prompt/BoundPrompt.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import { Session } from '../session/Session.js';
import { beginRun } from './conversation/beginRun.js';
import { Conversation } from './conversation/Conversation.js';
import { createRefusal } from './conversation/conversationErrors.js';
import { isWaiting, recordFailure } from './conversation/recordFailure.js';
import { createAudience, createRun } from './createRun.js';
import { publishStop } from './publishRun.js';
import { requireConversation, requireHistory } from './check/requireArguments.js';
import { UsageAccount } from './UsageAccount.js';
import { RunLoop, type LoopOptions, type LoopParts } from './RunLoop.js';
import { waitWithinRun } from './ask/waitWithinRun.js';
import { getFirstLine } from '../value/MessageReader.js';

export interface EvaluationParts extends LoopParts {
  readonly outputs: OutputReader;
  /** Runs the loop with a changed run, as rehearsals do. */
  readonly around?: (
    run: DispatchContext,
    loop: (run: DispatchContext) => Promise<PromptResponse>,
  ) => Promise<PromptResponse>;
}

/** The options of a run, with its session, its account and its followers. */
interface BegunOptions extends EvaluateOptions, RunFollowers {
  readonly session: Session;
  readonly account: UsageAccount;
}

/** Who follows a run: the reader of its stream, for whom it waits, or a listener. */
export type RunFollowers = Pick<LoopOptions, 'emit' | 'listener'>;

/** Runs the loop for a prompt, in the conversation of the options or in one that keeps nothing. */
export async function evaluatePrompt(
  parts: EvaluationParts,
  prompt: BoundPrompt | RenderedPrompt,
  options: EvaluateOptions,
  { emit, listener }: RunFollowers = {},
): Promise<PromptResponse> {
  const { conversation = Conversation.once(), session = new Session() } = options;
  const account = new UsageAccount(session);
  const begun = { ...options, session, account, emit, listener };
  return account.runCounted(async () => {
    requireConversation('app.evaluate', conversation);
    try {
      return await conversation.hold(() => continueConversation(parts, conversation, prompt, begun));
    } catch (error) {
      // Publishes nothing for a run that has begun: its loop did so.
      const { ns, key } = prompt instanceof BoundPrompt ? prompt : prompt.prompt;
      publishStop(parts.services, { ...createAudience(begun), rendered: { prompt: { ns, key } } }, error, account);
      throw error;
    }
  });
}

/** Begins a run of the conversation, or goes on with the open one, and records how it ends. */
async function continueConversation(
  parts: EvaluationParts,
  conversation: Conversation,
  prompt: BoundPrompt | RenderedPrompt,
  options: BegunOptions,
): Promise<PromptResponse> {
  const { services, outputs, around } = parts;
  const { messages, runId, session, overridesTag, onUnknown, runMetadata } = options;
  const { route } = options.adapter;
  const adapter = route?.choose(conversation.state.model?.adapter) ?? options.adapter;
  const home = options.conversation && {
    conversation: conversation.id,
    tenant: conversation.log.store?.tenant ?? null,
  };
  // First, since rendering may look at the state that the log brings back.
  const isRecorded = options.conversation !== undefined && options.conversation !== conversation;
  if (session.registry.userSlices.length > 0 && !isRecorded)
    await waitWithinRun(conversation.openMemory(session, runMetadata?.['principal']), options, 'the memory was read');
  const link = conversation.link(session);
  const past = runId === undefined ? undefined : conversation.findEndedRun(runId);
  if (past !== undefined) {
    const { run, how, problem = 'no reason is recorded' } = past.end;
    if (how !== 'answered') {
      const reason = getFirstLine(problem);
      throw createRefusal(conversation.id, `its run ${run} has ended (${how}): ${reason}`, 'E732');
    }
    // Everything is recorded, so that nothing is asked or run: the caller only missed the response.
    return continueConversation(parts, past.before, prompt, { ...options, messages: undefined });
  }
  const rendering = prompt instanceof BoundPrompt ? prompt.render({ session, overridesTag }) : Promise.resolve(prompt);
  const rendered = await waitWithinRun(rendering, options, 'the prompt was rendered');
  if (home !== undefined) requireHistory('app.evaluate', options, rendered);
  // A message that a provider refuses would fail this run and every later one, once it is recorded.
  await adapter.checkContent?.(messages ?? []);
  const { metadata } = rendered;
  const output = options.output === undefined ? metadata.output : outputs.read(options.output, metadata);
  const run = createRun(rendered, options, () => log.run, home);
  const start = { rendered, session, adapter, output, limits: run, messages, runId, link, onUnknown };
  const log = await beginRun(services, conversation, start);
  let running: RunLoop | undefined;
  try {
    const begun = { ...options, adapter, route, conversation, log, output };
    const loop = (given: DispatchContext): Promise<PromptResponse> => {
      running ??= new RunLoop(parts, given, begun);
      return running.answer();
    };
    for (;;) {
      const response = await (around === undefined ? loop(run) : around(run, loop));
      if (!conversation.isKept || (await log.closeAnswered())) return response;
      if ((await running?.continueSteered()) === true) continue;
      // No request is left: the next run of the conversation begins with the messages.
      await log.close('answered');
      return response;
    }
  } catch (error) {
    await recordFailure(error, services, { log, conversation, isCancelled: options.signal?.aborted === true });
    if (isWaiting(error)) await running?.emitter?.emitQuestions?.(conversation);
    throw error;
  }
}

import type { DispatchContext } from '../dispatch/DispatchContext.js';
import type { OpenCall } from '../dispatch/attempt/OpenCall.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import type { PromptView } from '../interface/PromptView.js';
import type { RunHandle } from '../interface/RunHandle.js';
import type { SessionPort } from '../interface/SessionPort.js';
import type { SessionTransaction } from '../session/SessionTransaction.js';
import { BoundPrompt } from '../prompt/BoundPrompt.js';
import { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import type { Message } from '../value/Message.js';
import type { Asker, BegunRun } from './ask/askModel.js';
import { checkMessages } from './check/checkMessages.js';
import { beginRun } from './conversation/beginRun.js';
import { Conversation } from './conversation/Conversation.js';
import { findResult } from './conversation/history/LongResults.js';
import { UsageAccount } from './UsageAccount.js';
import type { PromptResponse } from './RunOptions.js';

type NestedLoop = (
  run: DispatchContext,
  options: BegunRun & Pick<Asker, 'adapter' | 'route'>,
) => Promise<PromptResponse>;

/** Creates the handle with which a handler runs other prompts within its call, with the model of the outer run. */
export function createRunHandle(outer: Asker, parentCall: OpenCall<SessionTransaction>, loop: NestedLoop): RunHandle {
  const { conversation } = outer.options;
  return {
    adapter: outer.adapter.name,
    evaluate: (prompt, { messages } = {}) => {
      const response = evaluateNested(outer, parentCall, loop, prompt, messages);
      // A handler may leave it unawaited: its rejection must not end the process.
      response.catch(() => undefined);
      return response;
    },
    result: (handle) => findResult(conversation.log.entries, handle),
  };
}

/** The tools of a nested run use the transaction of the handler's call. */
async function evaluateNested(
  { services, run, adapter: current, route }: Asker,
  parentCall: OpenCall<SessionTransaction>,
  loop: NestedLoop,
  prompt: PromptView,
  given: readonly Message[] | undefined,
): Promise<PromptResponse> {
  const { session } = parentCall.transaction;
  const messages = checkMessages('context.run.evaluate', given, services);
  const rendered = await renderNested(prompt, session);
  const { output } = rendered.metadata;
  const adapter = route?.choose(current.name) ?? current;
  const conversation = Conversation.once();
  const log = await beginRun(services, conversation, { rendered, session, adapter, output, messages });
  const { signal } = parentCall.signal;
  const own = { id: () => log.run, repeatOf: undefined };
  const nested: DispatchContext = { ...run, ...own, rendered, session, signal, parentCall };
  const account = new UsageAccount(session);
  return account.runCounted(() => loop(nested, { account, adapter, route, conversation, log, output }));
}

/** @throws PromptEvaluationError if it is not a prompt of an application, PromptRenderError */
async function renderNested(prompt: PromptView | RenderedPrompt, session: SessionPort): Promise<RenderedPrompt> {
  if (prompt instanceof RenderedPrompt) return prompt;
  if (prompt instanceof BoundPrompt) return prompt.render({ session });
  throw new PromptEvaluationError('A nested run was asked for a prompt that no application made.', {
    phase: 'tool',
    remedy: 'Give it app.prompt(Class), bound or not.',
  });
}

import { getThread } from '../dispatch/idempotencyKey.js';
import type { CallRun } from '../dispatch/CallRun.js';
import type { InterceptedRun } from '../interface/Interceptor.js';
import type { ModelAdapter } from '../interface/ModelAdapter.js';
import type { Conversation } from './conversation/Conversation.js';

/** Makes the view of a run that interceptors get. */
export function viewRun(
  run: CallRun,
  { adapter, conversation }: { readonly adapter: ModelAdapter; readonly conversation: Conversation },
  recorded: InterceptedRun['recorded'],
): InterceptedRun {
  return Object.freeze({
    id: run.id(),
    prompt: run.rendered.prompt,
    metadata: run.metadata,
    sessionId: run.session.id,
    adapter: adapter.name,
    conversation: conversation.isKept ? conversation.id : undefined,
    thread: getThread(run),
    rendered: run.rendered,
    session: run.observer?.session,
    recorded,
  });
}

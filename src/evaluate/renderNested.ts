import { PromptEvaluationError } from '../error/PromptError.js';
import type { PromptView } from '../interface/PromptView.js';
import type { SessionPort } from '../interface/SessionPort.js';
import { BoundPrompt } from '../prompt/BoundPrompt.js';
import { RenderedPrompt } from '../prompt/RenderedPrompt.js';

/**
 * Renders a prompt for a run within a handler's call.
 *
 * @throws PromptEvaluationError if it is not a prompt of an application, PromptRenderError
 */
export async function renderNested(prompt: PromptView | RenderedPrompt, session: SessionPort): Promise<RenderedPrompt> {
  if (RenderedPrompt.is(prompt)) return prompt;
  if (BoundPrompt.is(prompt)) return prompt.render({ session });
  throw new PromptEvaluationError('A nested run was asked for a prompt that no application made.', {
    phase: 'tool',
    remedy: 'Give it app.prompt(Class), bound or not.',
  });
}

import type { StandardSchema } from '../../interface/StandardSchema.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import type { Application } from '../Application.js';
import { argumentsSchema } from './argumentsSchema.js';
import { ExternalCallHandler, type OwnLoopOptions } from './ExternalCallHandler.js';

/** What a loop knows of a call. */
export interface StandardToolCall {
  /** The provider's id of the call; one is made up when left out. */
  readonly callId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A tool in a form that any framework's own can be made of. */
export interface StandardTool {
  readonly name: string;
  readonly description: string;
  /**
   * Says what the tool takes, as JSON Schema, and lets everything pass: the call itself checks its arguments, so that the model
   * is told of them in the same words through every door.
   */
  readonly inputSchema: StandardSchema;
  /** Runs a call, with arguments as an object or as JSON text. A failure is an outcome; its `text` is what the model reads. */
  readonly execute: (args: unknown, call?: StandardToolCall) => Promise<ToolOutcome>;
}

/**
 * The tools of a rendering for a loop of your own, in no framework's form: the same validation, context, transaction and event
 * as in a run. Calls that come at once run with the effects of running them one after the other.
 *
 * @param rendered what `prompt.render()` gave: its tools, in their order
 * @throws ToolwrightError E722; `execute` throws what `app.callTool` throws
 * @example
 * const tools = toStandardTools(app, await app.prompt(SupportDesk).render({ session }), { session });
 * const { text } = await tools[0].execute({ orderId: '#W1' });
 */
export function toStandardTools(
  app: Application,
  rendered: RenderedPrompt,
  options: OwnLoopOptions = {},
): readonly StandardTool[] {
  const door = new ExternalCallHandler('toStandardTools', app, rendered, options);
  return rendered.tools.map(({ name, description, schema }) => ({
    name,
    description,
    inputSchema: argumentsSchema(name, schema),
    execute: (args, { callId, signal } = {}) => door.call({ id: callId, name, arguments: args }, signal),
  }));
}

import type { StandardSchema } from '../../interface/StandardSchema.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import type { ToolOutcome } from '../../value/ToolOutcome.js';
import type { Application } from '../Application.js';
import { OwnLoopHandler, type OwnLoopOptions } from './OwnLoopHandler.js';
import type { JsonSchema } from '../../common/types.js';
import { writeForDraft } from '../../schema/standard/writeForDraft.js';

/** A tool in a neutral form, which can be converted to a tool of any framework. */
export interface StandardTool {
  readonly name: string;
  readonly description: string;
  /**
   * Describes the arguments as JSON Schema and accepts every value. The call itself validates them, so that the model
   * gets the same messages in every framework.
   */
  readonly inputSchema: StandardSchema;
  /**
   * Runs a call. A failure is an outcome; its `text` is for the model.
   *
   * @param args an object, or JSON text
   * @param call.callId the provider's id of the call; a new one by default
   * @param call.signal aborts this call
   */
  readonly execute: (
    args: unknown,
    call?: { readonly callId?: string | undefined; readonly signal?: AbortSignal | undefined },
  ) => Promise<ToolOutcome>;
}

/**
 * Returns the tools of a rendering for your own loop, in a neutral form, with the same validation, context, transaction
 * and event as in a run. Concurrent calls run with the effects of running them one after the other.
 *
 * @param rendered the result of `prompt.render()`; its tools are returned in their order
 * @throws ToolwrightError E722; `execute` throws the errors of `app.callTool`
 * @example
 * const tools = toStandardTools(app, await app.prompt(SupportDesk).render({ session }), { session });
 * const { text } = await tools[0].execute({ orderId: '#W1' });
 */
export function toStandardTools(
  app: Application,
  rendered: RenderedPrompt,
  options: OwnLoopOptions = {},
): readonly StandardTool[] {
  const handler = new OwnLoopHandler('toStandardTools', app, rendered, options);
  return rendered.tools.map(({ name, description, schema }) => ({
    name,
    description,
    inputSchema: createArgumentsSchema(name, schema),
    execute: (args, { callId, signal } = {}) => handler.call({ id: callId, name, arguments: args }, signal),
  }));
}

/** Returns a Standard Schema that describes the arguments of a tool and validates nothing. */
export function createArgumentsSchema(tool: string, schema: JsonSchema): StandardSchema {
  const converter: StandardSchema['~standard']['jsonSchema']['input'] = (request) =>
    writeForDraft(tool, schema, request);
  return {
    '~standard': {
      version: 1,
      vendor: 'toolwright',
      validate: (value) => ({ value }),
      jsonSchema: { input: converter, output: converter },
    },
  };
}

import type { Application, JsonSchema, OutcomeKind, RenderedPrompt, RenderedTool } from 'toolwright';
import type { SchemaTarget, ToolSchema } from 'toolwright/adapters';
import type { OwnLoopOptions } from 'toolwright/own-loop';
import type { StandardSchema } from 'toolwright/schema';
import { createArgumentsSchema, OwnLoopHandler } from 'toolwright/internal';
import type { AiJson, AiProviderOptions } from './AiLanguageModel.js';

/** Options of `toAiTools`. */
export interface AiToolsOptions extends OwnLoopOptions {
  /** The dialect of schemas; JSON Schema when left out, since the provider is not known here. */
  readonly target?: SchemaTarget | undefined;
  /** Requests arguments that fit the schema exactly, if the dialect has such a mode; false when left out. */
  readonly strict?: boolean | undefined;
  /** Returns the provider options of a tool, e.g. `{ anthropic: { deferLoading: true } }`. */
  readonly toolOptions?: ((tool: ToolSchema) => AiProviderOptions | undefined) | undefined;
}

/** The output of a call for the loop and for receivers of its messages: plain JSON, without values, errors and stacks. */
export interface AiToolOutput {
  readonly success: boolean;
  readonly kind: OutcomeKind;
  /** The text for the model. */
  readonly text: string;
}

/** Details of a call that the loop passes on. */
export interface AiToolExecution {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A tool as `generateText` and `streamText` of the AI SDK take it, in versions 6 and 7. Agents of Mastra run it as well. */
export interface AiTool {
  description: string;
  inputSchema: StandardSchema;
  inputExamples?: { input: Record<string, AiJson> }[];
  strict?: boolean;
  providerOptions?: AiProviderOptions;
  execute: (input: unknown, call: AiToolExecution) => Promise<AiToolOutput>;
  toModelOutput: (given: { output: AiToolOutput } | AiToolOutput) => { type: 'text' | 'error-text'; value: string };
}

/** Marks a schema as an AI SDK schema. The SDK would rewrite a plain Standard Schema, and close open objects. */
const SCHEMA = Symbol.for('vercel.ai.schema');

/**
 * Returns the tools of a rendering for `generateText`, `streamText` and agents of the AI SDK, which run the loop. Validation,
 * context, transaction and event of a call are the same as in a run. A failure is a result for the model. The SDK also reports
 * errors that a call throws to the model, and continues: `onLeave` receives them.
 *
 * @param rendered the result of `prompt.render()`: its text is the system prompt, its tools are these
 * @throws ToolwrightError E722
 * @example
 * const rendered = await app.prompt(SupportDesk).render({ session });
 * const tools = toAiTools(app, rendered, { session });
 * const { text } = await generateText({ model, system: rendered.text, prompt: 'Hello!', tools, stopWhen: stepCountIs(20) });
 */
export function toAiTools(
  app: Application,
  rendered: RenderedPrompt,
  options: AiToolsOptions = {},
): Record<string, AiTool> {
  const { target = 'json-schema', strict = false, toolOptions: optionsOf = () => undefined, ...rest } = options;
  const handler = new OwnLoopHandler('toAiTools', app, rendered, rest);
  return Object.fromEntries(
    rendered.tools.map((tool) => {
      const schema = tool.schemaFor(target, { strict });
      return [tool.name, toAiTool(handler, tool, schema, optionsOf(schema))];
    }),
  );
}

function toAiTool(
  handler: OwnLoopHandler,
  tool: RenderedTool,
  schema: ToolSchema,
  options?: AiProviderOptions,
): AiTool {
  const { name, description, parameters, strict } = schema;
  const inputExamples = handler.examplesOf(tool).map((input) => ({ input: input as Record<string, AiJson> }));
  return {
    description,
    inputSchema: createAiSchema(name, parameters),
    ...(inputExamples.length === 0 ? {} : { inputExamples }),
    ...(strict ? { strict } : {}),
    ...(options === undefined ? {} : { providerOptions: options }),
    execute: async (input, { toolCallId, abortSignal }) => {
      const { kind, text } = await handler.call({ id: toolCallId, name, arguments: input }, abortSignal);
      return { success: kind === 'succeeded', kind, text };
    },
    toModelOutput: (given) => {
      // Mastra passes the output itself, which has no property of this name.
      const { success, text } = 'output' in given ? given.output : given;
      return { type: success ? 'text' : 'error-text', value: text };
    },
  };
}

/** Creates a schema that accepts every value: the call itself validates its arguments, so the model gets the same messages as in a run. */
function createAiSchema(tool: string, parameters: JsonSchema): StandardSchema {
  return {
    ...createArgumentsSchema(tool, parameters),
    [SCHEMA]: true,
    jsonSchema: { ...parameters },
    validate: (value: unknown) => ({ success: true, value }),
  } as StandardSchema;
}

import { argumentsSchema } from '../../application/tools/argumentsSchema.js';
import { ExternalCallHandler, type OwnLoopOptions } from '../../application/tools/ExternalCallHandler.js';
import type { Application } from '../../application/Application.js';
import type { JsonSchema } from '../../common/types.js';
import type { SchemaTarget, ToolSchema } from '../../interface/ModelAdapter.js';
import type { StandardSchema } from '../../interface/StandardSchema.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import type { OutcomeKind } from '../../value/ToolOutcome.js';
import type { AiJson, AiProviderOptions } from './AiLanguageModel.js';

/** How the tools of a rendering are given to the AI SDK. */
export interface AiToolsOptions extends OwnLoopOptions {
  /** In which dialect schemas are written; JSON Schema when left out, since the provider is not known here. */
  readonly target?: SchemaTarget | undefined;
  /** Ask for arguments that fit the schema exactly, where the dialect has such a mode; false when left out. */
  readonly strict?: boolean | undefined;
  /** What the provider is told of single tools, e.g. `{ anthropic: { deferLoading: true } }`. */
  readonly toolOptions?: ((tool: ToolSchema) => AiProviderOptions | undefined) | undefined;
}

/** What a call gives to the loop and to whoever its messages are sent to: plain JSON, without values, errors and stacks. */
export interface AiToolOutput {
  readonly success: boolean;
  readonly kind: OutcomeKind;
  /** What the model reads. */
  readonly text: string;
}

/** What the loop tells of a call. */
export interface AiToolExecution {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A tool as `generateText` and `streamText` of the AI SDK take it, in versions 6 and 7. */
export interface AiTool {
  description: string;
  inputSchema: StandardSchema;
  inputExamples?: { input: Record<string, AiJson> }[];
  strict?: boolean;
  providerOptions?: AiProviderOptions;
  execute: (input: unknown, call: AiToolExecution) => Promise<AiToolOutput>;
  toModelOutput: (given: { output: AiToolOutput }) => { type: 'text' | 'error-text'; value: string };
}

/** By this the AI SDK knows schemas of its own; a Standard Schema alone it would rewrite, closing open objects. */
const SCHEMA = Symbol.for('vercel.ai.schema');

/**
 * The tools of a rendering for `generateText`, `streamText` and agents of the AI SDK, for people who own their loop: the same
 * validation, context, transaction and event as in a run. A failure is a result that the model reads. The SDK also tells the
 * model of errors that leave a call, and goes on: `onLeave` hears of them.
 *
 * @param rendered what `prompt.render()` gave: its text is the system prompt, its tools are these
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
  const door = new ExternalCallHandler('toAiTools', app, rendered, rest);
  return Object.fromEntries(
    rendered.tools.map((tool) => {
      const schema = tool.schemaFor(target, { strict });
      return [tool.name, aiTool(door, tool, schema, optionsOf(schema))];
    }),
  );
}

function aiTool(
  door: ExternalCallHandler,
  tool: RenderedTool,
  schema: ToolSchema,
  options?: AiProviderOptions,
): AiTool {
  const { name, description, parameters, strict } = schema;
  const inputExamples = door.examplesOf(tool).map((input) => ({ input: input as Record<string, AiJson> }));
  return {
    description,
    inputSchema: aiSchema(name, parameters),
    ...(inputExamples.length === 0 ? {} : { inputExamples }),
    ...(strict ? { strict } : {}),
    ...(options === undefined ? {} : { providerOptions: options }),
    execute: async (input, { toolCallId, abortSignal }) => {
      const { kind, text } = await door.call({ id: toolCallId, name, arguments: input }, abortSignal);
      return { success: kind === 'succeeded', kind, text };
    },
    toModelOutput: ({ output: { success, text } }) => ({ type: success ? 'text' : 'error-text', value: text }),
  };
}

/** Everything passes: the call checks its arguments, and the model reads the same words as in a run. */
function aiSchema(tool: string, parameters: JsonSchema): StandardSchema {
  return {
    ...argumentsSchema(tool, parameters),
    [SCHEMA]: true,
    jsonSchema: { ...parameters },
    validate: (value: unknown) => ({ success: true, value }),
  } as StandardSchema;
}

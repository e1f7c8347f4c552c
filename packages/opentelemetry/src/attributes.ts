import type { Attributes } from '@opentelemetry/api';
import { type RunMetadata, type Usage, ToolwrightError } from 'toolwright';
import type {
  InterceptedProgram,
  InterceptedRequest,
  InterceptedRun,
  InterceptedToolCall,
  PrefixMeasure,
} from 'toolwright/policies';
import type { PromptView } from 'toolwright/types';

/** Returns the name of the agent, which is the prompt: `ns/key`, as in events. */
export function agentOf({ ns, key }: PromptView): string {
  return `${ns}/${key}`;
}

/** Returns the tool's name; not for an unknown tool, since the model can invent any number of names. */
export function toolNameOf({ tool }: InterceptedToolCall): string {
  return tool?.name ?? OTHER;
}

/** The conventions' names for providers with several adapters, by the name of the adapter's API. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([['openai-chat', 'openai']]);

/** Reads provider and model from a name such as `openai:gpt-5-mini`; a name without a colon is only a provider. */
export function readModelAttributes(adapter: string): Attributes {
  const colon = adapter.indexOf(':');
  if (colon === -1) return { 'gen_ai.provider.name': adapter };
  const provider = adapter.slice(0, colon);
  return {
    'gen_ai.provider.name': PROVIDERS.get(provider) ?? provider,
    'gen_ai.request.model': adapter.slice(colon + 1),
  };
}

/** Returns the attributes of a run that are known when it begins. */
export function readRunAttributes(run: InterceptedRun): Attributes {
  const { id, prompt, metadata: context, adapter } = run;
  return {
    'gen_ai.operation.name': 'invoke_agent',
    ...readModelAttributes(adapter),
    'gen_ai.agent.name': agentOf(prompt),
    ...readConversationAttribute(run),
    'toolwright.run.id': id,
    ...readContextAttributes(context),
  };
}

/** Returns the attributes of a request that are known before it is sent. */
export function readRequestAttributes({ run, adapter, fallback, turn, request }: InterceptedRequest): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    ...readModelAttributes(adapter),
    'gen_ai.agent.name': agentOf(run.prompt),
    ...readConversationAttribute(run),
    ...(request.outputSchema === undefined ? {} : { 'gen_ai.output.type': 'json' }),
    'toolwright.turn': turn,
    ...(fallback === undefined
      ? {}
      : { 'toolwright.fallback.from': fallback.from, 'toolwright.fallback.failure': fallback.failure }),
  };
}

/** Returns the attributes of a call that are known before it runs. */
export function readCallAttributes(incoming: InterceptedToolCall): Attributes {
  const { call, tool, prompt, caller, parentCallId, turn, metadata: context } = incoming;
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': toolNameOf(incoming),
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': call.id,
    ...(tool === undefined ? {} : { 'gen_ai.tool.description': tool.description }),
    'gen_ai.agent.name': agentOf(prompt),
    ...readConversationAttribute(incoming),
    'toolwright.call.caller': caller,
    ...(parentCallId === undefined ? {} : { 'toolwright.call.parent_id': parentCallId }),
    'toolwright.turn': turn,
    ...readContextAttributes(context),
  };
}

/** Returns the attributes of an attempt at a program that are known before it runs. */
export function readProgramAttributes(program: InterceptedProgram): Attributes {
  return { ...readConversationAttribute(program), 'toolwright.program.attempt': program.attempt };
}

/** Returns how much of the previous request a request repeats; nothing if they were not compared. */
export function readPrefixAttributes(measure: PrefixMeasure | undefined): Attributes {
  if (measure === undefined) return {};
  const { keptBytes, keptTokens, newBytes, changedBytes, brokenAt, changedParameters } = measure;
  return {
    'toolwright.prefix.kept_bytes': keptBytes,
    'toolwright.prefix.kept_tokens': keptTokens,
    'toolwright.prefix.new_bytes': newBytes,
    'toolwright.prefix.changed_bytes': changedBytes,
    'toolwright.prefix.changed_parameters': [...changedParameters],
    ...(brokenAt === undefined ? {} : { 'toolwright.prefix.broken_at': brokenAt }),
  };
}

/** Returns the counts of tokens that the provider reported. */
export function readUsageAttributes(usage: Usage): Attributes {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens } = usage;
  return {
    ...(inputTokens === undefined ? {} : { 'gen_ai.usage.input_tokens': inputTokens }),
    ...(outputTokens === undefined ? {} : { 'gen_ai.usage.output_tokens': outputTokens }),
    ...(cachedInputTokens === undefined ? {} : { 'gen_ai.usage.cache_read.input_tokens': cachedInputTokens }),
    ...(cacheWriteTokens === undefined ? {} : { 'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens }),
  };
}

/** Returns the id of the conversation, which is the same on every span of it. */
function readConversationAttribute({ thread }: Pick<InterceptedRun, 'thread'>): Attributes {
  return thread === undefined ? {} : { 'gen_ai.conversation.id': thread };
}

function readContextAttributes(context: RunMetadata): Attributes {
  return Object.fromEntries(Object.entries(context).map(([key, value]) => [`toolwright.run_context.${key}`, value]));
}

/** The value of the conventions for an error without a name. */
export const OTHER = '_OTHER';

/** Returns the value of `error.type`: the code of an error of Toolwright, the name of any other. Never its message. */
export function readErrorType(error: unknown): string {
  if (error instanceof ToolwrightError) return error.code;
  if (!(error instanceof Error)) return OTHER;
  const { name } = error;
  return /^[A-Za-z_$][\w$]{0,79}$/.test(name) ? name : OTHER;
}

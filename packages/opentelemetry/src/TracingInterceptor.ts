import { SpanKind, type Attributes } from '@opentelemetry/api';
import type { ModelResponse, PromptResponse, ToolOutcome, Usage } from 'toolwright';
import { messageOf } from 'toolwright/internal/light';
import type {
  InterceptedProgram,
  InterceptedRequest,
  InterceptedRun,
  InterceptedToolCall,
  Interceptor,
  Next,
  ProgramOutcome,
} from 'toolwright/policies';
import { sumUsage } from 'toolwright/internal';
import {
  agentOf,
  readCallAttributes,
  readModelAttributes,
  readPrefixAttributes,
  readProgramAttributes,
  readRequestAttributes,
  readRunAttributes,
  toolNameOf,
  readUsageAttributes,
} from './attributes.js';
import type { Instruments } from './instruments.js';
import { writeAnswerContent, writeArgumentsContent, writeQuestionContent, redactText } from './messageContent.js';
import { runQuietly } from './runQuietly.js';
import type { SpanTree } from './SpanTree.js';
import { readRemoteContext } from './traceparent.js';

/** Records spans and measurements of runs, requests, calls and programs, by the conventions for generative AI. */
export class TracingInterceptor implements Interceptor {
  readonly #tree: SpanTree;
  readonly #instruments: () => Instruments;

  constructor(tree: SpanTree, instruments: () => Instruments) {
    this.#tree = tree;
    this.#instruments = instruments;
  }

  aroundRun(run: InterceptedRun, next: Next<unknown>): Promise<void> {
    return this.#tree.watch(() => {
      const attributes = readRunAttributes(run);
      const agent = agentOf(run.prompt);
      return {
        name: `invoke_agent ${agent}`,
        kind: SpanKind.INTERNAL,
        attributes,
        parent: readRemoteContext(run.metadata['traceparent']),
        ended: (value) => {
          const { finishReason, requests, turns, complete } = value as PromptResponse;
          return {
            attributes: {
              'gen_ai.response.finish_reasons': [finishReason],
              ...readUsageAttributes(sumUsage(requests.filter((usage) => usage !== undefined)) ?? {}),
              'toolwright.turns': turns,
              'toolwright.complete': complete,
            },
          };
        },
        measured: (seconds, failure) => {
          this.#instruments().run.record(seconds, { 'gen_ai.agent.name': agent, ...failure });
        },
      };
    }, next);
  }

  aroundModel(asked: InterceptedRequest, next: Next<ModelResponse>): Promise<void> {
    const { run, adapter, request } = asked;
    return this.#tree.watch(() => {
      const attributes = readRequestAttributes(asked);
      const model = attributes['gen_ai.request.model'];
      const shared = { 'gen_ai.operation.name': 'chat', ...readModelAttributes(adapter) };
      return {
        name: model === undefined ? 'chat' : `chat ${String(model)}`,
        kind: SpanKind.CLIENT,
        attributes,
        content: () => writeQuestionContent(request, (messages) => run.recorded(messages)),
        ended: (response) => {
          const { finishReason, usage = {}, cacheMiss } = response;
          runQuietly(() => {
            this.#count(usage, shared);
          });
          return {
            attributes: {
              'gen_ai.response.finish_reasons': [finishReason],
              ...readUsageAttributes(usage),
              ...(cacheMiss === undefined ? {} : { 'toolwright.prefix.cache_miss': cacheMiss }),
            },
            content: () => writeAnswerContent(response, (messages) => run.recorded(messages)),
          };
        },
        settled: () => readPrefixAttributes(asked.prefix()),
        reason: (error) => redactText(messageOf(error), (messages) => run.recorded(messages)),
        measured: (seconds, failure) => {
          this.#instruments().request.record(seconds, { ...shared, ...failure });
        },
      };
    }, next);
  }

  aroundCall(incoming: InterceptedToolCall, next: Next<ToolOutcome>): Promise<void> {
    return this.#tree.watch(() => {
      const name = toolNameOf(incoming);
      return {
        name: `execute_tool ${name}`,
        kind: SpanKind.INTERNAL,
        attributes: readCallAttributes(incoming),
        content: () => writeArgumentsContent(incoming.recordedCall()),
        ended: ({ kind, result, text }) => ({
          attributes: { 'toolwright.call.kind': kind },
          content: () => ({ 'gen_ai.tool.call.result': incoming.recorded(text) }),
          errorType: result.success ? undefined : kind,
        }),
        reason: (error) => incoming.recorded(messageOf(error)),
        measured: (seconds, failure) => {
          this.#instruments().tool.record(seconds, {
            'gen_ai.tool.name': name,
            'gen_ai.tool.type': 'function',
            'gen_ai.agent.name': agentOf(incoming.prompt),
            ...failure,
          });
        },
      };
    }, next);
  }

  aroundProgram(program: InterceptedProgram, next: Next<unknown>): Promise<void> {
    return this.#tree.watch(
      () => ({
        name: 'toolwright.program',
        kind: SpanKind.INTERNAL,
        attributes: readProgramAttributes(program),
        ended: (value) => {
          const { status, calls, error } = value as ProgramOutcome;
          return {
            attributes: { 'toolwright.program.status': status, 'toolwright.program.calls': calls.length },
            errorType: status === 'completed' ? undefined : (error?.kind ?? status),
          };
        },
      }),
      next,
    );
  }

  #count({ inputTokens, outputTokens }: Usage, shared: Attributes): void {
    const { tokens } = this.#instruments();
    if (inputTokens !== undefined) tokens.record(inputTokens, { ...shared, 'gen_ai.token.type': 'input' });
    if (outputTokens !== undefined) tokens.record(outputTokens, { ...shared, 'gen_ai.token.type': 'output' });
  }
}

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { InputRequest } from '@modelcontextprotocol/server';
import {
  bind,
  Deadline,
  type Message,
  type RenderedPrompt,
  Session,
  type ToolCall,
  type ToolOutcome,
} from 'toolwright';
import { ToolInvoked } from 'toolwright/events';
import { isRecord } from 'toolwright/internal/light';
import { getApplicationParts } from 'toolwright/internal';
import type { PreparedRun, RunsOptions } from '@toolwright/durable';
import { MIN_TASK_MS } from '../../limits.js';
import { createRunMetadata } from '../createRunMetadata.js';
import { findOutputForm } from '../findOutputForm.js';
import { McpClient } from '../McpClient.js';
import { McpContent } from '../McpContent.js';
import { toBlocks, toCallResult } from '../toCallResult.js';
import { warnOfEffects } from '../warnOfEffects.js';
import { isAboutAnswer } from './AnswerMissing.js';
import type { AnswerSheet, TaskRequest } from './TaskInput.js';
import { createTaskLink, toPeer } from './TaskLink.js';
import type { TaskServices } from './TaskServices.js';
import { TaskModel } from './TaskModel.js';
import { TaskAnswer, type TaskReport } from './TaskReport.js';

type ToolMessage = Extract<Message, { readonly role: 'tool' }>;

/** A run of a task that a worker is about to carry out. */
export interface TaskWork {
  readonly run: Parameters<RunsOptions['prepare']>[0];
  /** The call of the first run of the task. */
  readonly call: TaskRequest;
  readonly answers: AnswerSheet;
  readonly isCancelled: boolean;
}

/**
 * Prepares a run of a task: the prompt of its client, and a model that makes the one call.
 *
 * @throws errors of choosing and rendering the prompt, unchanged
 */
export async function prepareTask(services: TaskServices, work: TaskWork): Promise<PreparedRun> {
  const { app, options, settings, promptFor } = services;
  const { run, call, answers, isCancelled } = work;
  const { clock } = getApplicationParts(app).services;
  const { slices } = settings;
  const peer = toPeer(call.client);
  const asked = new Map<string, InputRequest>();
  const prompt = (await promptFor(peer)).withResources([
    // A handler that is run again, for example after a conflict, asks its questions from the beginning.
    bind(McpClient, {
      scope: 'toolCall',
      provide: () => new McpClient(createTaskLink(call.client, { answers, asked })),
    }),
  ]);
  const rendered = await prompt.render({ session: new Session({ slices }) });
  const isOver = isCancelled || call.expiresAt - clock.now() < MIN_TASK_MS;
  const reports = new ProgressLog(services, rendered, call, asked);
  return {
    prompt,
    slices,
    adapter: new TaskModel({ call, answers, isOver, report: (message) => reports.read(message) }),
    output: TaskAnswer,
    // A report is no answer that completion checkers could judge.
    maxRefusedAnswers: 0,
    // A retry of the call, with the answers of its client, has the same idempotency key.
    repeatOf: run.conversation,
    deadline: isOver ? undefined : new Deadline(call.expiresAt, clock),
    runMetadata: {
      ...createRunMetadata(options, { peer, scopes: call.client.scopes }),
      mcpTask: run.conversation,
    },
    onEvent: (event) => {
      if (event instanceof ToolInvoked) reports.keep(event);
    },
  };
}

/** Turns the end of a task's call into a report. */
class ProgressLog {
  readonly #services: TaskServices;
  readonly #rendered: RenderedPrompt;
  readonly #call: TaskRequest;
  readonly #asked: ReadonlyMap<string, InputRequest>;
  #event: ToolInvoked | undefined;

  constructor(
    services: TaskServices,
    rendered: RenderedPrompt,
    call: TaskRequest,
    asked: ReadonlyMap<string, InputRequest>,
  ) {
    this.#services = services;
    this.#rendered = rendered;
    this.#call = call;
    this.#asked = asked;
  }

  /** Keeps the end of the call, which has more than its recorded message. */
  keep(event: ToolInvoked): void {
    if (event.parentCallId !== undefined || event.name !== this.#call.tool) return;
    this.#event = event;
    if (this.#asked.size > 0 && event.effect === 'unknown') warnOfEffects(this.#services, event.name);
  }

  /** Reports how the call ended; undefined if it must run again. */
  read(message: ToolMessage): TaskReport | undefined {
    const event = this.#event?.callId === message.toolCallId ? this.#event : undefined;
    const failed = message.failed;
    if (failed && this.#asked.size > 0) return { kind: 'asked', requests: Object.fromEntries(this.#asked) };
    // An earlier process has recorded that the call asks, and ended before it has recorded the questions.
    if (failed && isAboutAnswer(message.content)) return undefined;
    return event === undefined ? this.#recall(message) : this.#report(event, message);
  }

  #report({ kind, result, error, toolMessage: text }: ToolInvoked, { parts }: ToolMessage): TaskReport {
    const { app } = this.#services;
    const call: ToolCall = { id: 'task', name: this.#call.tool, arguments: this.#call.arguments };
    try {
      const outcome = { kind, result, text, error } as ToolOutcome;
      const shown = toCallResult(this.#rendered, call, outcome, getApplicationParts(app).services);
      return { kind: 'result', result: { ...shown, content: [...shown.content, ...toBlocks(parts)] } };
    } catch (thrown) {
      const { code, message } = thrown as { readonly code?: unknown; readonly message: string };
      if (typeof code !== 'number') throw thrown;
      return { kind: 'error', error: { code, message } };
    }
  }

  /** Reports a call that an earlier process has run, only from its recorded message. */
  #recall({ content: text, parts, failed }: ToolMessage): TaskReport {
    const content = [McpContent.text(text), ...toBlocks(parts)];
    const tool = this.#rendered.tool(this.#call.tool);
    const form = failed || tool === undefined ? undefined : findOutputForm(tool);
    if (form === undefined) return succeed({ content, ...(failed ? { isError: true } : {}) });
    const value = parse(text);
    const structured = form.isWrapped && value !== undefined ? { result: value } : value;
    if (isRecord(structured)) return succeed({ content, structuredContent: structured });
    // Clients refuse a result that lacks a declared property.
    const note = McpContent.text('The call succeeded. Only this text of its result was kept when its process ended.');
    return succeed({ content: [...content, note], isError: true });
  }
}

function succeed(result: CallToolResult): TaskReport {
  return { kind: 'result', result };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

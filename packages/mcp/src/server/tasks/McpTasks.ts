import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { JsonValue } from 'toolwright';
import { describeValue, messageOf } from 'toolwright/internal/light';
import { aJsonValue, getApplicationParts } from 'toolwright/internal';
import type { PreparedRun, RunRecord, Runs, RunsOptions } from '@toolwright/durable';
import { DEFAULT_TASK_LIMITS, MAX_SWEPT_TASKS, MAX_TASK_RUNS, TASK_SWEEP_MS } from '../../limits.js';
import { createProtocolError } from '../createProtocolError.js';
import { digest } from '../stateless/digest.js';
import { isAnswer } from '../stateless/isAnswer.js';
import { findTaskRule } from './McpTaskOptions.js';
import { prepareTask } from './prepareTask.js';
import { createMissingCallError } from './taskErrors.js';
import {
  AnswerSheet,
  type InputRequests,
  readTaskInput,
  type TaskAnswers,
  type TaskRequest,
  type TaskClientInfo,
  type TaskInput,
} from './TaskInput.js';
import type { TaskServices } from './TaskServices.js';
import { readReport, type TaskError, type TaskReport } from './TaskReport.js';

/** Whose tasks are looked up. Without a principal, the tasks of anonymous clients. */
type TaskOwner = Pick<TaskClientInfo, 'principal'>;

/** The state of a task, as the protocol sends it. */
export interface McpTask {
  readonly taskId: string;
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly statusMessage?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  /** The questions that wait for an answer, of a task that requires input. */
  readonly inputRequests?: InputRequests;
  /** The result of a completed task. */
  readonly result?: CallToolResult;
  /** The error of a failed task. */
  readonly error?: TaskError;
}

/** A call that becomes a task. */
export interface NewTask {
  readonly client: TaskClientInfo;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, JsonValue>>;
  /** Answers that the client has given before. */
  readonly answers?: TaskAnswers | undefined;
}

const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;
/** The form of the ids that tasks get. Others are not looked up. */
const TASK_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const OPEN = ['queued', 'running', 'waiting', 'paused'] as const;

/**
 * Tool calls that outlast their request (decision 78). A task is a conversation of durable runs: its first run makes
 * the call. If the call asks its client, it is rolled back, and the run ends with the questions; the answers are the input of a later run,
 * which makes the call again. The tenant of the runs is the principal of the client, so the tasks of others do not exist.
 */
export class McpTasks {
  readonly #services: TaskServices;
  readonly #runs: Promise<Runs>;
  /** The last creation of each principal. */
  readonly #creating = new Map<string | undefined, Promise<unknown>>();
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(services: TaskServices) {
    this.#services = services;
    this.#runs = services.settings.open(this.#prepare);
    this.#runs.catch((error: unknown) => {
      services.logger.error(`MCP: the runs of tasks could not be opened: ${messageOf(error)}`, { error });
    });
  }

  /** Returns the rule of a tool; undefined if its calls never become tasks. */
  findRule(tool: string): ReturnType<typeof findTaskRule> {
    return findTaskRule(this.#services.settings, tool);
  }

  /**
   * Stores a task. A worker makes its call.
   *
   * @returns undefined if the principal has too many tasks
   * @throws McpError -32602 for arguments that are not JSON or too deep; errors of the store, unchanged
   */
  async create(task: NewTask): Promise<McpTask | undefined> {
    await this.#sweep();
    const { principal } = task.client;
    // One after the other: requests that come together would each count the tasks before the others are stored.
    const before = this.#creating.get(principal) ?? Promise.resolve();
    const created = before.then(() => this.#create(task));
    const settled = created.catch(() => undefined);
    this.#creating.set(principal, settled);
    try {
      return await created;
    } finally {
      if (this.#creating.get(principal) === settled) this.#creating.delete(principal);
    }
  }

  async #create({ client, tool, arguments: given, answers = {} }: NewTask): Promise<McpTask | undefined> {
    const { ttlMs, maxTasksPerPrincipal: limit } = this.#limits;
    const runs = await this.#runsOf(client.principal);
    const kept = await runs.acrossTenants.outline({ tenant: runs.tenant, limit });
    if (kept.length >= limit) return undefined;
    const id = randomUUID();
    const expiresAt = this.#now() + ttlMs;
    const call: TaskRequest = { kind: 'call', tool, arguments: given, client, answers, expiresAt };
    await this.#start(runs, id, id, call);
    return this.#show({ call, records: [await runs.get(id)] }, { kind: 'working' });
  }

  /** Reads a task. @throws McpError -32602 for a task that the principal does not have */
  async get(owner: TaskOwner, id: string): Promise<McpTask> {
    const runs = await this.#runsOf(owner.principal);
    const task = await this.#find(runs, id);
    return this.#show(task, await this.#readState(runs, task));
  }

  /**
   * Stores answers to the questions of a task. Answers to other questions are ignored, and so are all answers to a task that requires none.
   *
   * @throws McpError -32602 for a task that the principal does not have, and for an answer of another form
   */
  async update(owner: TaskOwner, id: string, responses: Readonly<Record<string, unknown>>): Promise<void> {
    const runs = await this.#runsOf(owner.principal);
    const task = await this.#find(runs, id);
    const state = await this.#readState(runs, task);
    if (state.kind !== 'input_required') return;
    const wanted = Object.entries(state.requests).filter(([key]) => Object.hasOwn(responses, key));
    if (wanted.length === 0) return;
    for (const [key, request] of wanted)
      if (!isAnswer(request, responses[key]))
        throw createProtocolError(
          INVALID_PARAMS,
          `The answer ${JSON.stringify(key)} does not fit its question. Answer it again.`,
        );
    if (task.records.length >= MAX_TASK_RUNS)
      throw createProtocolError(INVALID_PARAMS, `A task takes answers ${String(MAX_TASK_RUNS - 1)} times at most.`);
    const answers = Object.fromEntries(
      wanted.map(([key, request]) => [key, { question: digest(request), answer: responses[key] }]),
    );
    await this.#start(runs, id, `${id}.${randomUUID()}`, { kind: 'answers', answers });
  }

  /**
   * Cancels a task. Its call is rolled back. A task that has ended stays as it is.
   *
   * @throws McpError -32602 for a task that the principal does not have
   */
  async cancel(owner: TaskOwner, id: string): Promise<void> {
    const runs = await this.#runsOf(owner.principal);
    const task = await this.#find(runs, id);
    const state = await this.#readState(runs, task);
    if (state.kind !== 'working' && state.kind !== 'input_required') return;
    // Written first: no answer and no worker can revive the task from here on.
    await this.#start(runs, id, `${id}.${randomUUID()}`, { kind: 'cancel' });
    const reason = 'the client has cancelled the task';
    for (const { id: run, status } of task.records) if (isOpen(status)) await runs.cancel(run, reason);
  }

  /** Stops working on tasks, and aborts calls that still run after `graceMs`. Another process continues them. */
  async close(graceMs: number): Promise<void> {
    const runs = await this.#runs.catch(() => undefined);
    await runs?.drain(graceMs);
  }

  readonly #prepare: RunsOptions['prepare'] = async (run): Promise<PreparedRun> => {
    const runs = (await this.#runs).forTenant(run.tenant);
    const records = await runs.list({ conversation: run.conversation, limit: MAX_TASK_RUNS + 1 });
    const inputs = records.map(readTaskInput);
    const [call] = inputs;
    readTaskInput(run);
    if (call?.kind !== 'call') throw createMissingCallError(run.conversation);
    const isCancelled = inputs.some(({ kind }) => kind === 'cancel');
    return prepareTask(this.#services, { run, call, answers: new AnswerSheet(inputs), isCancelled });
  };

  async #start(runs: Runs, task: string, run: string, input: TaskInput): Promise<void> {
    requireStorable(input);
    const content = input.kind === 'call' ? `Call ${input.tool}.` : 'Go on.';
    await runs.start({
      id: run,
      conversation: task,
      input: input as unknown as JsonValue,
      messages: [{ role: 'user', content }],
    });
  }

  async #runsOf(principal: string | undefined): Promise<Runs> {
    return (await this.#runs).forTenant(principal === undefined ? null : nameTenant(principal));
  }

  async #find(runs: Runs, id: string): Promise<FoundTask> {
    const records = TASK_ID.test(id) ? await runs.list({ conversation: id, limit: MAX_TASK_RUNS + 1 }) : [];
    const [first] = records;
    const call = first?.id === id ? readTaskInput(first) : undefined;
    if (call?.kind === 'call' && call.expiresAt > this.#now()) return { call, records };
    throw createProtocolError(INVALID_PARAMS, 'There is no such task, or it has expired.');
  }

  async #readState(runs: Runs, { records }: FoundTask): Promise<TaskState> {
    const inputs = records.map(readTaskInput);
    const has = (wanted: RunRecord['status']): boolean => records.some(({ status }) => status === wanted);
    if (has('cancelled') || inputs.some(({ kind }) => kind === 'cancel')) return { kind: 'cancelled' };
    if (has('failed')) return { kind: 'failed', error: NOT_RUN };
    const last = records.findLast(({ status }) => status === 'answered');
    const report = last === undefined ? undefined : await readLastReport(runs, last.id);
    if (report?.kind === 'result') return { kind: 'completed', result: report.result };
    if (report?.kind === 'error') return { kind: 'failed', error: report.error };
    if (report?.kind === 'asked') {
      const open = new AnswerSheet(inputs).listOpen(report.requests);
      if (open.length > 0) return { kind: 'input_required', requests: Object.fromEntries(open) };
    }
    return has('waiting') ? { kind: 'working', message: 'The call waits for an approval.' } : { kind: 'working' };
  }

  #show({ call, records }: FoundTask, state: TaskState): McpTask {
    const { pollIntervalMs } = this.#limits;
    const [first] = records as readonly [RunRecord];
    const changedAt = Math.max(...records.map((record) => record.changedAt));
    return {
      taskId: first.id,
      status: state.kind,
      ...(state.kind === 'working' && state.message !== undefined ? { statusMessage: state.message } : {}),
      createdAt: new Date(first.createdAt).toISOString(),
      lastUpdatedAt: new Date(changedAt).toISOString(),
      ttlMs: Math.max(1, call.expiresAt - first.createdAt),
      pollIntervalMs,
      ...(state.kind === 'input_required' ? { inputRequests: state.requests } : {}),
      ...(state.kind === 'completed' ? { result: state.result } : {}),
      ...(state.kind === 'failed' ? { error: state.error } : {}),
    };
  }

  /** Ends and deletes expired tasks, at most once a minute. Its errors are logged, because the next call tries again. */
  async #sweep(): Promise<void> {
    const now = this.#now();
    if (now - this.#sweptAt < TASK_SWEEP_MS) return;
    this.#sweptAt = now;
    const before = now - this.#limits.ttlMs;
    try {
      const runs = await this.#runs;
      const open = await runs.acrossTenants.list({ status: ['queued', 'waiting', 'paused'], limit: MAX_SWEPT_TASKS });
      for (const { id, tenant, createdAt } of open)
        if (createdAt < before) await runs.forTenant(tenant).cancel(id, 'the task has expired');
      await runs.acrossTenants.prune(new Date(before));
    } catch (error) {
      this.#services.logger.warn(`MCP: expired tasks were not deleted: ${messageOf(error)}`, { error });
    }
  }

  get #limits(): typeof DEFAULT_TASK_LIMITS {
    const { ttlMs, pollIntervalMs, maxTasksPerPrincipal } = this.#services.settings;
    return {
      ttlMs: ttlMs ?? DEFAULT_TASK_LIMITS.ttlMs,
      pollIntervalMs: pollIntervalMs ?? DEFAULT_TASK_LIMITS.pollIntervalMs,
      maxTasksPerPrincipal: maxTasksPerPrincipal ?? DEFAULT_TASK_LIMITS.maxTasksPerPrincipal,
    };
  }

  #now(): number {
    return getApplicationParts(this.#services.app).services.clock.now();
  }
}

/** A task of a principal that has not expired, with its runs in order. */
interface FoundTask {
  readonly call: TaskRequest;
  readonly records: readonly RunRecord[];
}

type TaskState =
  | { readonly kind: 'working'; readonly message?: string }
  | { readonly kind: 'input_required'; readonly requests: InputRequests }
  | { readonly kind: 'completed'; readonly result: CallToolResult }
  | { readonly kind: 'failed'; readonly error: TaskError }
  | { readonly kind: 'cancelled' };

/** The reason is in the log of the server: it could reveal details of the machine. */
const NOT_RUN: TaskError = Object.freeze({ code: INTERNAL_ERROR, message: 'The call could not be finished.' });

/** Returns the tenant of a principal. A tenant is not empty, so a text of hyphens alone, also an empty one, gets one more. */
function nameTenant(principal: string): string {
  return /^-*$/.test(principal) ? `${principal}-` : principal;
}

/** Checks that a store can keep the input of a run, which a client has sent. @throws McpError -32602 */
function requireStorable(input: TaskInput): void {
  const misfit = aJsonValue(input);
  if (misfit === undefined) return;
  const { path, expected, got } = misfit;
  const part = path === '' ? `the ${input.kind}` : path;
  throw createProtocolError(
    INVALID_PARAMS,
    `A task cannot keep ${part}: expected ${expected}, got ${describeValue(got)}. Send other values.`,
  );
}

function isOpen(status: RunRecord['status']): boolean {
  return (OPEN as readonly string[]).includes(status);
}

/** Reads the report with which a run ended from its log. */
async function readLastReport(runs: Runs, run: string): Promise<TaskReport | undefined> {
  let text: string | null = null;
  for await (const event of runs.events(run)) if (event.kind === 'answer') ({ text } = event);
  return text === null ? undefined : readReport(text);
}

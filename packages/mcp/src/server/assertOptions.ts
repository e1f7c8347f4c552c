import { describeValue, isRecord } from 'toolwright/internal/light';
import { type OptionNames, requireOptionNames } from 'toolwright/internal';
import { MAX_TIMER_MS, MIN_TASK_MS } from '../limits.js';
import { assertAuthorization } from './authorization/assertAuthorization.js';
import { createOptionError } from './createOptionError.js';
import type { McpHttpOptions } from './McpHttpOptions.js';
import type { McpServerOptions } from './McpServerOptions.js';
import { findTaskRule, type McpTaskOptions } from './tasks/McpTaskOptions.js';

const SUPPORT: ReadonlySet<unknown> = new Set(['optional', 'required']);
const BEGINS: ReadonlySet<unknown> = new Set(['call', 'handler']);
/** A task must have time left when its call begins. */
const MIN_TTL_MS = 2 * MIN_TASK_MS;

const optionNames: OptionNames<McpServerOptions> = {
  name: 1,
  version: 1,
  instructions: 1,
  session: 1,
  runMetadata: 1,
  resources: 1,
  resourceTemplates: 1,
  prompts: 1,
  skills: 1,
  onPending: 1,
  stateStore: 1,
  stateMs: 1,
  eventBus: 1,
  pageSize: 1,
  tasks: 1,
  http: 1,
};

const taskNames: OptionNames<McpTaskOptions> = {
  open: 1,
  tools: 1,
  slices: 1,
  ttlMs: 1,
  pollIntervalMs: 1,
  maxTasksPerPrincipal: 1,
};

const httpNames: OptionNames<McpHttpOptions> = {
  allowedHosts: 1,
  allowedOrigins: 1,
  principal: 1,
  authorization: 1,
  maxBodyBytes: 1,
  maxSessions: 1,
  maxSessionsPerPrincipal: 1,
  maxRequestsPerPrincipal: 1,
  maxUnreadBytes: 1,
  idleMs: 1,
  replayed: 1,
  retryMs: 1,
};

/**
 * Refuses options that cannot work: unknown names, invalid limits, hosts and origins, and duplicate names or URIs.
 *
 * @throws McpServerError E691, PromptError E413
 */
export function assertOptions(options: McpServerOptions): void {
  requireOptionNames('serveMcp', options, optionNames);
  requireOptionNames('serveMcp({ http })', options.http ?? {}, httpNames);
  if (options.tasks !== undefined) assertTasks(options.tasks);
  const { http = {}, pageSize, stateMs, resources = [], resourceTemplates = [], prompts = [] } = options;
  const { allowedHosts: _hosts, allowedOrigins: _origins, principal: _principal, authorization, ...limits } = http;
  if (authorization !== undefined) assertAuthorization(authorization);
  const bounds = { pageSize, stateMs, ...limits };
  requireLimits(bounds);
  refuseTwice(
    'resources',
    resources.map(({ uri }) => uri),
  );
  refuseTwice(
    'resourceTemplates',
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
  );
  refuseTwice(
    'prompts',
    prompts.map((prompt) => ('metadata' in prompt ? prompt.key : prompt.name)),
  );
  for (const origin of http.allowedOrigins ?? []) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue;
    throw createOptionError(
      'allowedOrigins',
      `expected an origin such as https://desk.example, got ${describeValue(origin)}`,
    );
  }
  for (const host of http.allowedHosts ?? []) {
    if (URL.canParse(`http://${host}`) && new URL(`http://${host}`).hostname === host.toLowerCase()) continue;
    throw createOptionError('allowedHosts', `expected a name or an address without port, got ${describeValue(host)}`);
  }
}

function assertTasks(tasks: McpTaskOptions): void {
  requireOptionNames('serveMcp({ tasks })', tasks, taskNames);
  const { open, tools, ttlMs, pollIntervalMs, maxTasksPerPrincipal } = tasks;
  requireLimits({ ttlMs, pollIntervalMs, maxTasksPerPrincipal });
  if (ttlMs !== undefined && ttlMs < MIN_TTL_MS)
    throw createOptionError('tasks.ttlMs', `expected at least ${String(MIN_TTL_MS)} ms, got ${String(ttlMs)}`);
  if (typeof (open as unknown) !== 'function')
    throw createOptionError('tasks.open', `expected a function, got ${describeValue(open)}`);
  if (!isRecord(tools)) throw createOptionError('tasks.tools', `expected rules by tool, got ${describeValue(tools)}`);
  for (const name of Object.keys(tools)) {
    const { support, begins } = findTaskRule(tasks, name) ?? {};
    if (SUPPORT.has(support) && BEGINS.has(begins)) continue;
    const problem = `expected 'optional', 'required' or { support, begins }, got ${describeValue(tools[name])}`;
    throw createOptionError(`tasks.tools.${name}`, problem);
  }
}

function requireLimits(limits: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined || (Number.isInteger(value) && value > 0 && value <= MAX_TIMER_MS)) continue;
    throw createOptionError(name, `expected a whole number above 0, got ${describeValue(value)}`);
  }
}

function refuseTwice(place: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw createOptionError(place, `${JSON.stringify(twice)} is listed twice`);
}

import { describeValue } from 'toolwright/internal/light';
import { type OptionNames, requireOptionNames } from 'toolwright/internal';
import { MAX_TIMER_MS } from '../limits.js';
import { McpServerError } from './McpServerError.js';
import type { McpHttpOptions } from './McpHttpOptions.js';
import type { McpServerOptions } from './McpServerOptions.js';

const optionNames: OptionNames<McpServerOptions> = {
  name: 1,
  version: 1,
  instructions: 1,
  session: 1,
  runMetadata: 1,
  resources: 1,
  resourceTemplates: 1,
  prompts: 1,
  onPending: 1,
  stateStore: 1,
  stateMs: 1,
  eventBus: 1,
  pageSize: 1,
  http: 1,
};

const httpNames: OptionNames<McpHttpOptions> = {
  allowedHosts: 1,
  allowedOrigins: 1,
  principal: 1,
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
  const { http = {}, pageSize, stateMs, resources = [], resourceTemplates = [], prompts = [] } = options;
  const { allowedHosts: _hosts, allowedOrigins: _origins, principal: _principal, ...limits } = http;
  const bounds = { pageSize, stateMs, ...limits };
  for (const [name, value] of Object.entries(bounds)) {
    if (value === undefined || (Number.isInteger(value) && value > 0 && value <= MAX_TIMER_MS)) continue;
    throw createOptionError(name, `expected a whole number above 0, got ${describeValue(value)}`);
  }
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

function refuseTwice(place: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw createOptionError(place, `${JSON.stringify(twice)} is listed twice`);
}

function createOptionError(place: string, problem: string): McpServerError {
  return new McpServerError(problem, { code: 'E691', place: `serveMcp ${place}` });
}

import { describeValue } from '../../../common/text.js';
import { McpServerError } from './McpServerError.js';
import type { McpServerOptions } from './McpServerOptions.js';

/** Beyond it, timers fire at once. */
const LONGEST = 2 ** 31 - 1;

/**
 * Refuses options that cannot work: invalid limits, hosts and origins, and names or URIs that are used twice.
 *
 * @throws McpServerError E691
 */
export function assertOptions(options: McpServerOptions): void {
  const { http = {}, pageSize, resources = [], resourceTemplates = [], prompts = [] } = options;
  const { maxBodyBytes, maxSessions, idleMs, replayed, retryMs } = http;
  const bounds = { pageSize, maxBodyBytes, maxSessions, idleMs, replayed, retryMs };
  for (const [name, value] of Object.entries(bounds)) {
    if (value === undefined || (Number.isInteger(value) && value > 0 && value <= LONGEST)) continue;
    throw fault(name, `expected a whole number above 0, got ${describeValue(value)}`);
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
    throw fault('allowedOrigins', `expected an origin such as https://desk.example, got ${describeValue(origin)}`);
  }
  for (const host of http.allowedHosts ?? []) {
    if (URL.canParse(`http://${host}`) && new URL(`http://${host}`).hostname === host.toLowerCase()) continue;
    throw fault('allowedHosts', `expected a name or an address without port, got ${describeValue(host)}`);
  }
}

function refuseTwice(place: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw fault(place, `${JSON.stringify(twice)} is listed twice`);
}

function fault(place: string, problem: string): McpServerError {
  return new McpServerError(problem, { code: 'E691', place: `serveMcp ${place}` });
}

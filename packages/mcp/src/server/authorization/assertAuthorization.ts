import { describeValue } from 'toolwright/internal/light';
import { type OptionNames, requireOptionNames } from 'toolwright/internal';
import { ScopePolicy } from 'toolwright/policies';
import { ASYMMETRIC_ALGORITHMS } from '../../limits.js';
import { createOptionError } from '../createOptionError.js';
import { isSecureUrl } from './findIssuerKeys.js';
import type { McpAuthorizationOptions } from './McpAuthorizationOptions.js';

const names: OptionNames<McpAuthorizationOptions> = {
  issuer: 1,
  resource: 1,
  audience: 1,
  scopes: 1,
  jwks: 1,
  algorithms: 1,
  clockToleranceSeconds: 1,
};

/**
 * Refuses authorization that cannot work, or that would accept tokens of anybody.
 *
 * @throws McpServerError E691, PromptError E413, ToolwrightError E713 for an invalid scope
 */
export function assertAuthorization(options: McpAuthorizationOptions): void {
  requireOptionNames('serveMcp({ http: { authorization } })', options, names);
  const { issuer, resource, audience, scopes = [], jwks, algorithms = [], clockToleranceSeconds: tolerance } = options;
  for (const [name, value] of Object.entries({ issuer, resource, ...(typeof jwks === 'string' ? { jwks } : {}) })) {
    if (isSecureUrl(value) && !value.includes('#')) continue;
    throw refuse(name, `expected an https URL, or an http URL of this machine, got ${describeValue(value)}`);
  }
  if (audience !== undefined && (typeof audience !== 'string' || audience === ''))
    throw refuse('audience', `expected a text, got ${describeValue(audience)}`);
  if (scopes.length > 0) new ScopePolicy(...scopes);
  const wrong = algorithms.find((name) => !ASYMMETRIC_ALGORITHMS.includes(name));
  if (wrong !== undefined)
    throw refuse('algorithms', `expected some of ${ASYMMETRIC_ALGORITHMS.join(', ')}, got ${describeValue(wrong)}`);
  if (tolerance !== undefined && !(Number.isFinite(tolerance) && tolerance >= 0))
    throw refuse('clockToleranceSeconds', `expected a number of seconds from 0 on, got ${describeValue(tolerance)}`);
}

function refuse(name: string, problem: string): Error {
  return createOptionError(`http.authorization.${name}`, problem);
}

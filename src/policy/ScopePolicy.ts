import { brand } from '../common/brand.js';
import { describeValue } from '../common/text.js';
import type { CallContext } from '../interface/CallContext.js';
import type { ParsedCall, PolicyDecision, ToolPolicy } from '../interface/ToolPolicy.js';
import { allow, deny } from './decisions.js';
import { createDeclarationError } from './requireToolNames.js';

/** A scope of RFC 6749: visible ASCII without quotes and backslashes. */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/**
 * Denies calls of runs that lack a scope. The scopes of a run are `runMetadata.scopes`, separated by spaces: an MCP server takes them
 * from the token of the request, and a host passes them for its own runs. A run without the key has no scope.
 *
 * @example
 * @Tool({ description: 'Cancel an order.', policies: [new ScopePolicy('orders:write')] })
 */
export class ScopePolicy implements ToolPolicy {
  readonly name: string;
  readonly scopes: readonly string[];

  /**
   * @param scopes the scopes that a run needs, all of them
   * @throws ToolwrightError E713 for no scope, or for a name that OAuth does not allow
   */
  constructor(...scopes: readonly string[]) {
    if (scopes.length === 0) throw createDeclarationError('ScopePolicy', 'it names no scope');
    const wrong = scopes.find((scope: unknown) => typeof scope !== 'string' || !SCOPE.test(scope));
    if (wrong !== undefined)
      throw createDeclarationError('ScopePolicy', `expected a scope such as orders:write, got ${describeValue(wrong)}`);
    this.scopes = Object.freeze([...new Set(scopes)]);
    this.name = `scopes_${this.scopes.join('_')}`;
  }

  check(_call: ParsedCall, { runMetadata }: CallContext): PolicyDecision {
    const granted = new Set((runMetadata['scopes'] ?? '').split(' '));
    const missing = this.scopes.filter((scope) => !granted.has(scope));
    if (missing.length === 0) return allow;
    return deny(
      `it needs the scope ${missing.join(' and ')}, which the user has not granted. Do not repeat it before the user grants it.`,
    );
  }
}
brand(ScopePolicy, 'ScopePolicy');

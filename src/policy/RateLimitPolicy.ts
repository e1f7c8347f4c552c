import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import { joinBounded } from '../common/text.js';
import type { CallContext } from '../interface/CallContext.js';
import type { ToolView } from '../interface/PromptView.js';
import type { ParsedCall, PolicyDecision, ToolPolicy } from '../interface/ToolPolicy.js';
import type { ToolResult } from '../value/ToolResult.js';
import { allow, deny } from './decisions.js';
import { createDeclarationError, requireToolNames } from './requireToolNames.js';
import { PolicyRecord } from '../session/PolicyRecord.js';

/** Options of `RateLimitPolicy`. */
export interface RateLimitOptions {
  /** The most successful calls of all the tools together; a whole number of at least 1. */
  readonly maxCalls: number;
  /** Length of the time window that ends now, in seconds; more than 0. */
  readonly perSeconds: number;
  /** The names of the tools to count; by default every tool that the policy is declared for. */
  readonly tools?: readonly string[] | undefined;
  /** Policies with the same name count the same calls; derived from the other options when left out. */
  readonly name?: string | undefined;
}

const optionNames: OptionNames<RateLimitOptions> = { maxCalls: 1, perSeconds: 1, tools: 1, name: 1 };

/**
 * Denies calls beyond `maxCalls` in `perSeconds`. Counts the successful calls of a session, by the application's clock
 * (docs/contract.md, 10).
 *
 * @example
 * @Tool({ description: 'Search the web.', policies: [new RateLimitPolicy({ maxCalls: 5, perSeconds: 60 })] })
 */
export class RateLimitPolicy implements ToolPolicy {
  readonly name: string;
  readonly #maxCalls: number;
  readonly #perSeconds: number;
  readonly tools: readonly string[] | undefined;

  /** @throws ToolwrightError E713, PromptError E413 */
  constructor(options: RateLimitOptions) {
    requireOptionNames('RateLimitPolicy', options, optionNames);
    const { maxCalls, perSeconds, tools, name } = options;
    const refuse = (problem: string): never => {
      throw createDeclarationError('RateLimitPolicy', problem);
    };
    if (!Number.isInteger(maxCalls) || maxCalls < 1)
      refuse(`maxCalls is ${String(maxCalls)}; it is a whole number from 1 on`);
    if (!Number.isFinite(perSeconds) || perSeconds <= 0)
      refuse(`perSeconds is ${String(perSeconds)}; it is a number greater than 0`);
    this.#maxCalls = maxCalls;
    this.#perSeconds = perSeconds;
    this.tools = tools === undefined ? undefined : requireToolNames('RateLimitPolicy', 'tools', tools);
    const scope = tools === undefined ? '' : `_of_${[...tools].sort().join('_')}`;
    this.name = name ?? `rate_limit_${String(maxCalls)}_per_${String(perSeconds)}_s${scope}`;
  }

  appliesTo({ name }: ToolView): boolean {
    return this.tools?.includes(name) !== false;
  }

  check(_call: ParsedCall, context: CallContext): PolicyDecision {
    const now = context.now();
    const counted = PolicyRecord.of(this.name, context).filter((record) => this.#counts(record, now));
    const next = counted.at(-this.#maxCalls);
    if (next === undefined) return allow;
    const wait = Math.ceil((next.time - now) / 1_000 + this.#perSeconds);
    const tools = this.tools === undefined ? '' : ` of ${joinBounded(this.tools)} together`;
    const limit = `at most ${String(this.#maxCalls)} calls${tools} are allowed in ${String(this.#perSeconds)} seconds`;
    return deny(`${limit}. Call it again in ${String(wait)} seconds, or do something else meanwhile.`);
  }

  onResult({ tool }: ParsedCall, _result: ToolResult, context: CallContext): void {
    if (!this.appliesTo(tool)) return;
    const now = context.now();
    const records = context.session.slice(PolicyRecord);
    const isOver = (record: PolicyRecord): boolean => record.policy === this.name && !this.#counts(record, now);
    if (records.all().some(isOver)) records.clear(isOver);
    records.append(new PolicyRecord(this.name, tool.name, null, now));
  }

  #counts({ time }: PolicyRecord, now: number): boolean {
    return now - time < this.#perSeconds * 1_000;
  }
}

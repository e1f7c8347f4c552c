import type { CallContext } from '../interface/CallContext.js';
import type { ToolView } from '../interface/PromptView.js';
import type { ParsedCall, PolicyDecision, ToolPolicy } from '../interface/ToolPolicy.js';
import type { ToolResult } from '../value/ToolResult.js';
import { allow, deny } from './decisions.js';
import { createDeclarationError, requireToolNames } from './requireToolNames.js';
import { PolicyRecord } from '../session/PolicyRecord.js';

/**
 * Denies calls of a tool until each of its prerequisites has succeeded once in the session (docs/contract.md, 10).
 *
 * @example
 * new SequentialDependencyPolicy({ deploy: ['build', 'test'] })
 */
export class SequentialDependencyPolicy implements ToolPolicy {
  readonly name = 'sequential_dependency';
  readonly tools: readonly string[];
  readonly #prerequisites: ReadonlyMap<string, readonly string[]>;
  readonly #awaited: ReadonlySet<string>;

  /**
   * @param prerequisites names of tools, by the name of the tool that needs them
   * @throws ToolwrightError E713 if it names no tool, or tools wait for each other in a circle
   */
  constructor(prerequisites: Readonly<Record<string, readonly string[]>>) {
    const entries = Object.entries(prerequisites);
    if (entries.length === 0) throw createDeclarationError('SequentialDependencyPolicy', 'it names no tool');
    this.#prerequisites = new Map(
      entries.map(([tool, needed]) => [tool, requireToolNames('SequentialDependencyPolicy', tool, needed)]),
    );
    this.#awaited = new Set([...this.#prerequisites.values()].flat());
    this.tools = Object.freeze([...new Set([...this.#prerequisites.keys(), ...this.#awaited])]);
    for (const tool of this.#prerequisites.keys()) this.#refuseCircles([tool]);
  }

  appliesTo({ name }: ToolView): boolean {
    return this.#prerequisites.has(name);
  }

  check({ tool }: ParsedCall, context: CallContext): PolicyDecision {
    const done = new Set(PolicyRecord.of(this.name, context).map((record) => record.tool));
    const missing = (this.#prerequisites.get(tool.name) ?? []).filter((needed) => !done.has(needed)).sort();
    if (missing.length === 0) return allow;
    return deny(
      `${missing.join(', ')} must have succeeded before. Call ${missing.length === 1 ? 'it' : 'them'} first.`,
    );
  }

  onResult({ tool }: ParsedCall, _result: ToolResult, context: CallContext): void {
    if (this.#awaited.has(tool.name))
      context.session.dispatch(new PolicyRecord(this.name, tool.name, null, context.now()));
  }

  #refuseCircles(path: readonly string[]): void {
    for (const needed of this.#prerequisites.get(path.at(-1) ?? '') ?? []) {
      if (path.includes(needed))
        throw createDeclarationError(
          'SequentialDependencyPolicy',
          `${[...path, needed].join(' needs ')}, which never ends`,
        );
      this.#refuseCircles([...path, needed]);
    }
  }
}

import { messageOf } from '../common/text.js';
import type { DispatchContext, DispatchServices } from '../dispatch/DispatchContext.js';
import type { PreparedExpansion, RefusedExpansion, SectionExpander } from '../dispatch/SectionExpander.js';
import {
  describeClosedSections,
  describeConflict,
  describeOpened,
  describeTooCostly,
  describeUnopened,
} from '../dispatch/finish/outcomeTexts.js';
import type { BudgetDimension } from '../error/BudgetExceededError.js';
import type { VisibilityExpansionRequired } from '../error/VisibilityExpansionRequired.js';
import { Budget } from '../limit/Budget.js';
import { BudgetTracker } from '../limit/BudgetTracker.js';
import { estimateOpeningCosts } from '../prompt/disclosure/estimateOpeningCosts.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import type { RenderedTool } from '../prompt/RenderedTool.js';
import { SessionTransaction } from '../session/SessionTransaction.js';
import { SetVisibilityOverride } from '../session/VisibilityOverrides.js';
import type { SectionCost } from '../value/SectionCost.js';
import { ToolResult } from '../value/ToolResult.js';

/** The limit of runs without a budget; the same as the default of `Budget`. */
const DEFAULT_LIMIT = new Budget({ maxExpansions: 8 });

/** Opens the sections that the model requests during a run, and holds the current rendering (docs/contract.md, 12). */
export class SectionExpansions implements SectionExpander {
  readonly #services: DispatchServices;
  readonly #run: DispatchContext;
  readonly #budget: BudgetTracker;
  #rendered: RenderedPrompt;
  #toolsByName: ReadonlyMap<string, RenderedTool>;

  constructor(services: DispatchServices, run: DispatchContext) {
    this.#services = services;
    this.#run = run;
    this.#budget = run.budget ?? new BudgetTracker(DEFAULT_LIMIT);
    this.#rendered = run.rendered;
    this.#toolsByName = run.rendered.toolsByName;
  }

  /** The state of the run's session, to read. */
  get view(): SessionTransaction {
    return new SessionTransaction(this.#run.session, { ...this.#services, readOnly: true });
  }

  get rendered(): RenderedPrompt {
    return this.#rendered;
  }

  /** Every tool that the run has offered so far. */
  get toolsByName(): ReadonlyMap<string, RenderedTool> {
    return this.#toolsByName;
  }

  async prepare(request: VisibilityExpansionRequired): Promise<PreparedExpansion | RefusedExpansion | undefined> {
    const { visibility } = this.#rendered;
    const paths = Object.keys(request.requestedOverrides).filter((path) => visibility[path] === 'summary');
    if (paths.length === 0) return undefined;
    const readOnly = this.#run.parentCall?.transaction.readOnly === true;
    const changes = new SessionTransaction(this.#run.session, { ...this.#services, readOnly });
    let costs: readonly SectionCost[] = [];
    try {
      for (const path of paths) changes.dispatch(new SetVisibilityOverride(path, 'full'));
      const rendered = await this.#rendered.anew(changes);
      const added = rendered.tools.map(({ name }) => name).filter((name) => !this.#rendered.toolsByName.has(name));
      costs = estimateOpeningCosts(this.#rendered, rendered);
      const limit = this.#limitFor(paths.length, costs);
      if (limit !== undefined) return { kind: 'denied', result: ToolResult.error(limit), costs };
      if (!changes.prepare())
        return { kind: 'conflicted', result: ToolResult.error(describeConflict('open_sections', 'none')), costs };
      return {
        kind: 'expanded',
        opened: paths,
        costs,
        changes,
        rendered,
        added,
        result: ToolResult.ok(null, describeOpenedSections(rendered, paths, added)),
      };
    } catch (error) {
      this.#services.logger.error(`Sections could not be opened: ${messageOf(error)}`, { error, paths });
      return { kind: 'failed', result: ToolResult.error(describeUnopened(paths)), costs };
    }
  }

  commit({ changes, rendered, opened }: PreparedExpansion): void {
    changes.apply();
    this.#budget.recordExpansion(opened.length);
    this.#rendered = rendered;
    this.#toolsByName = new Map([...this.#toolsByName, ...rendered.toolsByName]);
  }

  recall(sections: number): void {
    this.#budget.recordExpansion(sections);
  }

  /**
   * Returns the refusal if a limit would be exceeded. Opened sections are part of every later request: of its input, and so of
   * the total.
   */
  #limitFor(sections: number, costs: readonly SectionCost[]): string | undefined {
    const tokens = costs.reduce((sum, { total }) => sum + total, 0);
    const more = new Map<BudgetDimension, number>([
      ['input_tokens', tokens],
      ['total_tokens', tokens],
      ['expansions', 1],
      ['opened_sections', sections],
    ]);
    const over = this.#budget.limits.find(
      ({ dimension, used, limit }) => more.has(dimension) && used + (more.get(dimension) ?? 0) > limit,
    );
    if (over === undefined) return undefined;
    const isOfTokens = over.dimension === 'input_tokens' || over.dimension === 'total_tokens';
    return isOfTokens ? describeTooCostly(costs, over) : describeClosedSections(over);
  }
}

function describeOpenedSections(rendered: RenderedPrompt, paths: readonly string[], added: readonly string[]): string {
  return describeOpened(
    paths,
    paths.map((path) => rendered.textOf(path)),
    added,
  );
}

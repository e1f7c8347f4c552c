import { messageOf } from '../common/text.js';
import type { DispatchContext, DispatchServices } from '../dispatch/DispatchContext.js';
import type { PreparedExpansion, RefusedExpansion, SectionExpander } from '../dispatch/SectionExpander.js';
import {
  describeClosedSections,
  describeConflict,
  describeFound,
  describeNewerTools,
  describeOpened,
  describeSearchLimit,
  describeTooCostly,
  describeUnfound,
  describeUnopened,
} from '../dispatch/finish/outcomeTexts.js';
import type { BudgetDimension } from '../error/BudgetExceededError.js';
import type { VisibilityExpansionRequired } from '../error/VisibilityExpansionRequired.js';
import { Budget } from '../limit/Budget.js';
import { BudgetTracker } from '../limit/BudgetTracker.js';
import { estimateFoundCosts, estimateOpeningCosts } from '../prompt/disclosure/estimateOpeningCosts.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import type { RenderedTool } from '../prompt/RenderedTool.js';
import { SessionTransaction } from '../session/SessionTransaction.js';
import { AddFoundTools } from '../session/FoundTools.js';
import { SetVisibilityOverride } from '../session/VisibilityOverrides.js';
import type { SectionCost } from '../value/SectionCost.js';
import { ToolResult } from '../value/ToolResult.js';

/** The limit of runs without a budget; the same as the default of `Budget`. */
const DEFAULT_LIMIT = new Budget({ maxExpansions: 8 });

/** Opens the sections and adds the tools that the model requests during a run, and holds the current rendering (docs/contract.md, 12). */
export class SectionExpansions implements SectionExpander {
  readonly #services: DispatchServices;
  readonly #run: DispatchContext;
  readonly #budget: BudgetTracker;
  readonly #isKnown: (name: string) => boolean;
  #rendered: RenderedPrompt;
  #toolsByName: ReadonlyMap<string, RenderedTool>;

  /** @param isKnown returns true for tools that the conversation may offer */
  constructor(services: DispatchServices, run: DispatchContext, isKnown: (name: string) => boolean) {
    this.#services = services;
    this.#run = run;
    this.#isKnown = isKnown;
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
    const { requestedOverrides, requestedTools = [], note } = request;
    const { visibility } = this.#rendered;
    const paths = Object.keys(requestedOverrides).filter((path) => visibility[path] === 'summary');
    const tools = requestedTools.filter((name) => this.#rendered.findCallable(name) === undefined);
    if (paths.length === 0 && tools.length === 0) return undefined;
    const isSearch = request.requestedTools !== undefined;
    const readOnly = this.#run.parentCall?.transaction.readOnly === true;
    const changes = new SessionTransaction(this.#run.session, { ...this.#services, readOnly });
    let costs: readonly SectionCost[] = [];
    try {
      for (const path of paths) changes.dispatch(new SetVisibilityOverride(path, 'full'));
      if (tools.length > 0) changes.dispatch(new AddFoundTools(tools));
      const rendered = await this.#rendered.anew(changes);
      const brought = this.#findBrought(rendered);
      costs = estimateOpeningCosts(this.#rendered, rendered);
      if (isSearch) costs = [...costs, ...estimateFoundCosts(this.#rendered, rendered, costs)];
      const limit = this.#limitFor(paths.length, costs, isSearch);
      if (limit !== undefined) return { kind: 'denied', result: ToolResult.error(limit), costs };
      if (isSearch && paths.length === 0 && brought.added.length === 0 && brought.hidden.length === 0)
        return { kind: 'failed', result: ToolResult.error(describeNewerTools()), costs };
      if (!changes.prepare()) {
        const name = isSearch ? 'search_tools' : 'open_sections';
        return { kind: 'conflicted', result: ToolResult.error(describeConflict(name, 'none')), costs };
      }
      const { added } = brought;
      const texts = paths.map((path) => rendered.textOf(path));
      const shown = paths.length === 0 ? [] : [describeOpened(paths, texts, [])];
      const text = isSearch ? describeFound(added, brought.hidden, shown, note) : describeOpened(paths, texts, added);
      return { kind: 'expanded', opened: paths, costs, changes, rendered, added, result: ToolResult.ok(null, text) };
    } catch (error) {
      this.#services.logger.error(`Sections could not be opened: ${messageOf(error)}`, { error, paths, tools });
      return {
        kind: 'failed',
        result: ToolResult.error(isSearch ? describeUnfound() : describeUnopened(paths)),
        costs,
      };
    }
  }

  /** Returns the tools that a rendering adds: those that the model may call, and those that only programs may call. */
  #findBrought(rendered: RenderedPrompt): {
    readonly added: readonly string[];
    readonly hidden: readonly RenderedTool[];
  } {
    const before = this.#rendered;
    const added = rendered.tools
      .map(({ name }) => name)
      // A conversation offers only tools that it began with: the others came with a later release.
      .filter((name) => !before.toolsByName.has(name) && this.#isKnown(name));
    return { added, hidden: rendered.hidden.filter(({ name }) => before.findCallable(name) === undefined) };
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
  #limitFor(sections: number, costs: readonly SectionCost[], isSearch: boolean): string | undefined {
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
    if (isSearch) return describeSearchLimit(over, tokens);
    const isOfTokens = over.dimension === 'input_tokens' || over.dimension === 'total_tokens';
    return isOfTokens ? describeTooCostly(costs, over) : describeClosedSections(over);
  }
}

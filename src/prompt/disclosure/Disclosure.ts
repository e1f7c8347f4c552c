import { MAX_OPENING_ISSUES, MAX_REASON_CHARS } from '../../common/limits.js';
import { cut, didYouMean, joinBounded, quote } from '../../common/text.js';
import { ToolValidationError, type ParamIssue } from '../../error/toolErrors.js';
import { VisibilityExpansionRequired } from '../../error/VisibilityExpansionRequired.js';
import type { SessionPort } from '../../interface/SessionPort.js';
import type { PromptMetadata } from '../../metadata/PromptMetadata.js';
import type { RenderedSection } from '../RenderedPrompt.js';
import { renderExamples, type RenderedTool } from '../RenderedTool.js';

/** The tools and sections that a search may add in the current state of a session. */
export interface SearchFindings {
  /** Tools of open sections, the best first. */
  readonly tools: readonly RenderedTool[];
  /** The closed section to open, if it is better than every tool. */
  readonly section: string | undefined;
  /** Further closed sections that match. */
  readonly others: readonly string[];
  /** The names of found tools that the model has already. */
  readonly callable: readonly string[];
}

/** Reads the closed sections of one rendering, for the state of a session. */
interface ClosedContent {
  /** Renders one section in full. */
  readonly read: (path: string, session: SessionPort) => Promise<string>;
  /** @param most the number of results */
  readonly find: (query: string, most: number, session: SessionPort) => Promise<SearchFindings>;
}

/** Checks which sections of one rendering may be opened, and creates the requests for them (docs/contract.md, 12). */
export class Disclosure {
  readonly #paths: ReadonlySet<string>;
  readonly #shown: ReadonlyMap<string, RenderedSection>;
  readonly #closedContent: ClosedContent;

  constructor({ allSections }: PromptMetadata, sections: readonly RenderedSection[], closedContent: ClosedContent) {
    this.#paths = new Set(allSections.map(({ path }) => path));
    this.#shown = new Map(sections.map((section) => [section.path, section]));
    this.#closedContent = closedContent;
  }

  /**
   * Returns the model's request as a signal to throw, without overrides for sections that are already open.
   *
   * @throws ToolValidationError with the keys that cannot be opened, and the keys that can
   */
  request(keys: readonly string[], reason: string): VisibilityExpansionRequired {
    const issues: ParamIssue[] = [];
    // Each key is compared with all similar keys, and a model may send thousands: only as many are explained as are
    // shown.
    for (let index = 0; index < keys.length && issues.length < MAX_OPENING_ISSUES; index++)
      issues.push(...this.#findIssues(keys[index] ?? '', `section_keys[${String(index)}]`));
    if (issues.length > 0) throw this.#createRefusal('Not all of these sections can be opened.', issues);
    const closed = new Set(keys.filter((key) => this.#shown.get(key)?.visibility === 'summary'));
    if (closed.size === 0)
      throw this.#createRefusal(
        keys.length === 0 ? 'No section was named.' : 'All of these sections are open already.',
      );
    return new VisibilityExpansionRequired({
      sectionKeys: keys,
      reason,
      requestedOverrides: Object.fromEntries([...closed].map((path) => [path, 'full'])),
    });
  }

  /**
   * Returns the whole text of a summarised section and of those below it.
   *
   * @throws ToolValidationError for a section that is not summarised; the errors of rendering
   */
  async read(key: string, session: SessionPort): Promise<string> {
    const issues = this.#findIssues(key, 'section_key');
    if (issues.length > 0) throw this.#createRefusal('This section cannot be read.', issues);
    if (this.#shown.get(key)?.visibility !== 'summary')
      throw this.#createRefusal(`The section ${quote(key)} is not summarised: its text is in the prompt.`);
    return this.#closedContent.read(key, session);
  }

  /**
   * Returns the answer to a search that adds nothing.
   *
   * @throws VisibilityExpansionRequired as a signal, if it found something to add; the errors of hooks
   */
  async search(query: string, most: number, session: SessionPort): Promise<string> {
    const { tools, section, others, callable } = await this.#closedContent.find(query, most, session);
    const notes = [
      renderExamples(tools),
      callable.length === 0 ? '' : `Can be called already: ${callable.join(', ')}.`,
      others.length === 0 ? '' : `Closed sections that match as well, for open_sections: ${others.join(', ')}.`,
    ].filter((note) => note !== '');
    if (tools.length === 0 && section === undefined) {
      const problem = notes.length === 0 ? `Nothing that is available matches ${quote(query)}.` : 'Nothing was added.';
      return [problem, ...notes, 'Search with other words for the task if that does not help.'].join('\n\n');
    }
    throw new VisibilityExpansionRequired({
      sectionKeys: section === undefined ? [] : [section],
      reason: cut(query, MAX_REASON_CHARS),
      requestedOverrides: section === undefined ? {} : { [section]: 'full' },
      requestedTools: tools.map(({ name }) => name),
      note: notes.join('\n\n'),
    });
  }

  #findIssues(key: string, path: string): readonly ParamIssue[] {
    if (this.#shown.has(key)) return [];
    return [{ kind: 'constraint', path, message: this.#describeProblem(key) }];
  }

  #describeProblem(key: string): string {
    if (!this.#paths.has(key)) return `There is no section ${quote(key)}.${didYouMean(key, this.#closed)}`;
    const closed = this.#closed.find((path) => key.startsWith(`${path}.`));
    return closed === undefined
      ? `The section ${quote(key)} is not available now.`
      : `The section ${quote(key)} is below a summarised one; open ${quote(closed)} first.`;
  }

  get #closed(): readonly string[] {
    return [...this.#shown.values()].flatMap(({ path, visibility }) => (visibility === 'summary' ? [path] : []));
  }

  #createRefusal(problem: string, issues: readonly ParamIssue[] = []): ToolValidationError {
    const choice = `${problem} Keys that can be named: ${joinBounded(this.#closed)}.`;
    return new ToolValidationError(choice, { issues });
  }
}

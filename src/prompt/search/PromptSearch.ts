import { MAX_EMBEDDING_MS, MAX_SEARCH_INDEXES } from './limits.js';
import { util } from '../../common/builtins.js';
import { getOrCreate } from '../../common/memoize.js';
import { messageOf } from '../../common/text.js';
import type { Logger, TokenEstimator } from '../../interface/ports.js';
import { raceLimits, TimedOut } from '../../limit/raceLimits.js';
import type { SearchMetadata } from '../../metadata/PromptMetadata.js';
import { estimateToolTokens } from '../disclosure/estimateOpeningCosts.js';
import type { SectionNode } from '../SectionNode.js';
import { EmbeddedEntries } from './EmbeddedEntries.js';
import { listSearchEntries, writeSearchTexts, type SearchEntry } from './SearchEntry.js';
import { SearchIndex } from './SearchIndex.js';

/** The weight of a rank among several rankings, as in the paper on reciprocal rank fusion. */
const FUSION_RANK = 60;
/** Ranks of each ranking that are combined: further ones add next to nothing. */
const FUSED_RANKS = 100;

/** The services of an application that a search uses. */
export interface SearchServices {
  readonly logger: Logger;
  readonly estimator: TokenEstimator;
}

interface KeptIndex {
  readonly entries: readonly SearchEntry[];
  readonly byTerms: Promise<SearchIndex>;
  /** Undefined before the first search by meaning, and after one that failed. */
  meanings: Promise<EmbeddedEntries> | undefined;
  /** True once the vectors of the entries are there. */
  areEmbedded: boolean;
  /** True while the vectors of the entries take longer than a search waits: later searches do not wait for them. */
  isLate: boolean;
}

/** Finds tools and closed sections of one prompt. Its indexes are built at the first search, and hold all that may be closed. */
export class PromptSearch {
  readonly #options: SearchMetadata;
  readonly #services: SearchServices;
  readonly #isActive = new WeakMap<readonly SectionNode[], boolean>();
  readonly #entries = new WeakMap<readonly SectionNode[], readonly SearchEntry[]>();
  /** The latest last. Renderings with other overrides have other texts, and mostly one of a few variants. */
  #kept: readonly KeptIndex[] = [];

  constructor(options: SearchMetadata, services: SearchServices) {
    this.#options = options;
    this.#services = services;
  }

  /** Returns false while the searchable tools are few enough to be listed. The answer does not depend on the session. */
  isActive(roots: readonly SectionNode[]): boolean {
    const known = this.#isActive.get(roots);
    if (known !== undefined) return known;
    const { aboveTokens } = this.#options;
    const isActive = aboveTokens === 0 || exceedsTokens(roots, aboveTokens, this.#services.estimator);
    this.#isActive.set(roots, isActive);
    return isActive;
  }

  /** Ranks everything in a tree that may be closed, whether or not it is enabled now; the best comes first. */
  async rank(roots: readonly SectionNode[], query: string): Promise<readonly SearchEntry[]> {
    const entries = getOrCreate(this.#entries, roots, listSearchEntries);
    const kept = this.#findIndex(entries);
    const byTerms = (await kept.byTerms).rank(query);
    const { embed } = this.#options;
    const byMeaning = embed === undefined ? undefined : await this.#rankByMeaning(kept, query);
    const ranking = byMeaning === undefined ? byTerms : fuseRankings([byTerms, byMeaning]);
    return ranking.map((at) => entries[at] as SearchEntry);
  }

  #findIndex(entries: readonly SearchEntry[]): KeptIndex {
    const known =
      this.#kept.find((kept) => kept.entries === entries) ??
      this.#kept.find((kept) => haveSameTexts(kept.entries, entries));
    if (known !== undefined) {
      this.#kept = [...this.#kept.filter((kept) => kept !== known), known];
      return known;
    }
    const byTerms = SearchIndex.build(entries);
    const created: KeptIndex = { entries, byTerms, meanings: undefined, areEmbedded: false, isLate: false };
    this.#kept = [...this.#kept.slice(1 - MAX_SEARCH_INDEXES), created];
    return created;
  }

  /** Returns undefined if the embeddings fail or take too long: the search uses only words then. */
  async #rankByMeaning(kept: KeptIndex, query: string): Promise<readonly number[] | undefined> {
    const { embed } = this.#options;
    if (embed === undefined || kept.isLate) return undefined;
    const meanings = (kept.meanings ??= embedEntries(embed, kept));
    try {
      const ranking = meanings.then((embedded) => embedded.rank(query, FUSED_RANKS));
      return await raceLimits(ranking, {}, { timeoutMs: MAX_EMBEDDING_MS });
    } catch (thrown) {
      const isTimeout = thrown instanceof TimedOut;
      // Only the vectors of the entries come later; a query whose vector is late is over.
      kept.isLate = isTimeout && kept.meanings === meanings && !kept.areEmbedded;
      const error = isTimeout ? thrown.error : thrown;
      this.#services.logger.warn(`The search answers by words alone, because embed failed: ${messageOf(error)}`, {
        error,
      });
      return undefined;
    }
  }
}

/** Embeds the entries of an index. If that fails, the next search tries again. */
function embedEntries(embed: NonNullable<SearchMetadata['embed']>, kept: KeptIndex): Promise<EmbeddedEntries> {
  const meanings = EmbeddedEntries.create(embed, kept.entries);
  meanings.then(
    () => {
      kept.areEmbedded = true;
      kept.isLate = false;
    },
    () => {
      kept.isLate = false;
      kept.meanings = undefined;
    },
  );
  return meanings;
}

function exceedsTokens(roots: readonly SectionNode[], most: number, estimator: TokenEstimator): boolean {
  let tokens = 0;
  const exceeds = ({ metadata, tools, children }: SectionNode): boolean => {
    if (metadata.searchable)
      for (const tool of tools) {
        tokens += estimateToolTokens(tool, estimator);
        // The rest of ten thousand tools would take as long as a rendering.
        if (tokens > most) return true;
      }
    return children.some(exceeds);
  };
  return roots.some(exceeds);
}

function haveSameTexts(before: readonly SearchEntry[], after: readonly SearchEntry[]): boolean {
  return before.length === after.length && before.every((entry, at) => haveSameText(entry, after[at] as SearchEntry));
}

function haveSameText(one: SearchEntry, other: SearchEntry): boolean {
  if (one.tool !== undefined && one.tool.metadata === other.tool?.metadata) return true;
  return util().isDeepStrictEqual(writeSearchTexts(one), writeSearchTexts(other));
}

/** Combines rankings by the sum of reciprocal ranks. */
function fuseRankings(rankings: readonly (readonly number[])[]): readonly number[] {
  const scores = new Map<number, number>();
  for (const ranking of rankings)
    for (const [rank, position] of ranking.slice(0, FUSED_RANKS).entries())
      scores.set(position, (scores.get(position) ?? 0) + 1 / (FUSION_RANK + rank + 1));
  return [...scores].sort(([, one], [, other]) => other - one).map(([position]) => position);
}

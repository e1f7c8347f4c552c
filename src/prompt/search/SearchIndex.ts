import { LatePackage } from '../../common/LatePackage.js';
import { MAX_QUERY_CHARS } from './limits.js';
import { getOrCreate } from '../../common/memoize.js';
import { TimeSlice } from '../../common/TimeSlice.js';
import { type SearchEntry, type SearchTexts, writeSearchTexts } from './SearchEntry.js';
import { splitWords, toTerm } from './splitTerms.js';

/** A full-text index; only prompts with search need it. */
export const miniSearch = new LatePackage('minisearch', async () => (await import('minisearch')).default);

interface IndexedTexts extends SearchTexts {
  /** The position of the entry. */
  readonly id: number;
}

type Index = InstanceType<ReturnType<typeof miniSearch.get>>;

/** The usual constants, without the least score of a match that MiniSearch adds: it rewards texts that hold every word. */
const BM25 = { k: 1.2, b: 0.75, d: 0 };

/** Shorter words begin too many others. */
const MIN_PREFIX_CHARS = 4;
/** A word in a larger share of the entries says little about them, and takes most of the time of a search. */
const MAX_COMMON_SHARE = 0.15;
/** So many words of a query are searched however common they are: its rarest. */
const MIN_SEARCHED_TERMS = 3;

/**
 * Ranks entries by the words of a query (BM25). A word in a name counts more than one in a description, which counts more
 * than one of the parameters; docs/benchmarks.md shows how often the wanted tool is among the first.
 */
export class SearchIndex {
  readonly #index: Index;
  /** The number of entries that have a term. */
  readonly #counts: ReadonlyMap<string, number>;

  private constructor(index: Index, counts: ReadonlyMap<string, number>) {
    this.#index = index;
    this.#counts = counts;
  }

  /** Builds the index in pieces, between which other work of the process runs. */
  static async build(entries: readonly SearchEntry[]): Promise<SearchIndex> {
    const MiniSearch = miniSearch.get();
    const termOf = rememberTerms();
    const counts = new Map<string, number>();
    const ofEntry = new Set<string>();
    const index = new MiniSearch({
      fields: ['name', 'description', 'parameters', 'section'],
      tokenize: (text) => [...splitWords(text)],
      processTerm: (word) => {
        const term = termOf(word);
        if (term !== null) ofEntry.add(term);
        return term;
      },
      searchOptions: { boost: { name: 2, description: 1.5, parameters: 1, section: 1 }, bm25: BM25 },
    });
    const slice = new TimeSlice();
    for (const [id, entry] of entries.entries()) {
      if (slice.isOver) await slice.next();
      const texts: IndexedTexts = { id, ...writeSearchTexts(entry) };
      index.add(texts);
      for (const term of ofEntry) counts.set(term, (counts.get(term) ?? 0) + 1);
      ofEntry.clear();
    }
    return new SearchIndex(index, counts);
  }

  /** Returns the positions of the entries that have a word of the query, the best first. Only its beginning is read. */
  rank(query: string): readonly number[] {
    const text = query.slice(0, MAX_QUERY_CHARS);
    const termOf = rememberTerms();
    const searched = this.#chooseTerms(new Set(splitWords(text).flatMap((word) => termOf(word) ?? [])));
    const hits = this.#index.search(text, {
      processTerm: (word) => {
        const term = termOf(word);
        return term !== null && searched.has(term) ? term : null;
      },
      // A word that no entry has may be the beginning of one.
      prefix: (term) => term.length >= MIN_PREFIX_CHARS && !this.#counts.has(term),
    });
    return hits.map(({ id }) => id as number);
  }

  #chooseTerms(terms: ReadonlySet<string>): ReadonlySet<string> {
    const countOf = (term: string): number => this.#counts.get(term) ?? 0;
    const most = this.#index.documentCount * MAX_COMMON_SHARE;
    const rarestFirst = [...terms].sort((one, other) => countOf(one) - countOf(other));
    return new Set(rarestFirst.filter((term, at) => at < MIN_SEARCHED_TERMS || countOf(term) <= most));
  }
}

/** Returns `toTerm` with a memory: a stem takes longer than a look into a map. */
function rememberTerms(): typeof toTerm {
  const known = new Map<string, string | null>();
  return (word) => getOrCreate(known, word, toTerm);
}

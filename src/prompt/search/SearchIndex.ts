import { LatePackage } from '../../common/LatePackage.js';
import { MAX_QUERY_CHARS } from '../../common/limits.js';
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

/**
 * Ranks entries by the words of a query (BM25). A word in a name counts more than one in a description, which counts more
 * than one of the parameters; docs/benchmarks.md shows how often the wanted tool is among the first.
 */
export class SearchIndex {
  readonly #index: Index;

  private constructor(index: Index) {
    this.#index = index;
  }

  /** Builds the index in pieces, between which other work of the process runs. */
  static async build(entries: readonly SearchEntry[]): Promise<SearchIndex> {
    const MiniSearch = miniSearch.get();
    const index = new MiniSearch({
      fields: ['name', 'description', 'parameters', 'section'],
      tokenize: (text) => [...splitWords(text)],
      processTerm: toTerm,
      searchOptions: {
        boost: { name: 2, description: 1.5, parameters: 1, section: 1 },
        bm25: BM25,
        prefix: (term) => term.length >= MIN_PREFIX_CHARS,
      },
    });
    const slice = new TimeSlice();
    for (const [id, entry] of entries.entries()) {
      if (slice.isOver) await slice.next();
      const texts: IndexedTexts = { id, ...writeSearchTexts(entry) };
      index.add(texts);
    }
    return new SearchIndex(index);
  }

  /** Returns the positions of the entries that have a word of the query, the best first. Only its beginning is read. */
  rank(query: string): readonly number[] {
    return this.#index.search(query.slice(0, MAX_QUERY_CHARS)).map(({ id }) => id as number);
  }
}

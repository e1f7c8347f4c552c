import { isArray } from '../../common/guards.js';
import { EMBEDDING_BATCH, MAX_QUERY_CHARS } from './limits.js';
import { describeValue } from '../../common/text.js';
import { createPlacedError, type ToolwrightError } from '../../error/ToolwrightError.js';
import type { SearchOptions } from '../../metadata/args/SectionMetadataArgs.js';
import { type SearchEntry, writeSearchTexts } from './SearchEntry.js';

type Embed = NonNullable<SearchOptions['embed']>;

/** The vectors of entries, each of length 1. */
export class EmbeddedEntries {
  readonly #embed: Embed;
  readonly #vectors: readonly Float32Array[];

  private constructor(embed: Embed, vectors: readonly Float32Array[]) {
    this.#embed = embed;
    this.#vectors = vectors;
  }

  /** @throws ToolwrightError E420, and the errors of `embed` */
  static async create(embed: Embed, entries: readonly SearchEntry[]): Promise<EmbeddedEntries> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < entries.length; start += EMBEDDING_BATCH) {
      const texts = entries.slice(start, start + EMBEDDING_BATCH).map(writeEmbeddedText);
      vectors.push(...(await embedTexts(embed, texts, vectors[0]?.length)));
    }
    return new EmbeddedEntries(embed, vectors);
  }

  /**
   * Returns the positions of the entries that are closest to the query, the closest first.
   *
   * @throws ToolwrightError E420, and the errors of `embed`
   */
  async rank(query: string, most: number): Promise<readonly number[]> {
    const text = query.slice(0, MAX_QUERY_CHARS);
    const [wanted] = await embedTexts(this.#embed, [text], this.#vectors[0]?.length);
    if (wanted === undefined) return [];
    const closeness = this.#vectors.map((vector) => multiply(vector, wanted));
    return [...closeness.keys()]
      .sort((one, other) => (closeness[other] as number) - (closeness[one] as number))
      .slice(0, most);
  }
}

function writeEmbeddedText(entry: SearchEntry): string {
  const { name, description, section } = writeSearchTexts(entry);
  return [section, name, description].filter((text) => text !== '').join(': ');
}

async function embedTexts(
  embed: Embed,
  texts: readonly string[],
  length: number | undefined,
): Promise<readonly Float32Array[]> {
  const given: unknown = await embed(texts);
  if (!isArray(given) || given.length !== texts.length)
    throw createEmbeddingError(`it returned ${describeList(given)} for ${String(texts.length)} texts`);
  return given.map((vector, at) => {
    const wanted = length ?? (isArray(given[0]) ? given[0].length : 0);
    if (!isArray(vector) || vector.length !== wanted || !vector.every(Number.isFinite))
      throw createEmbeddingError(
        `vector ${String(at)} is ${describeList(vector)}, not a list of ${String(wanted)} finite numbers`,
      );
    return normalise(vector as readonly number[]);
  });
}

function describeList(value: unknown): string {
  return isArray(value) ? `a list of ${String(value.length)}` : describeValue(value);
}

function createEmbeddingError(problem: string): ToolwrightError {
  const details = { code: 'E420', place: 'search.embed' } as const;
  return createPlacedError(problem, details);
}

function normalise(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (part) => (length === 0 ? 0 : part / length));
}

function multiply(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number);
  return sum;
}

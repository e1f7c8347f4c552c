import { isObject } from '../common/guards.js';
import { mapEntries, omitUndefined } from '../common/objects.js';
import { cut } from '../common/text.js';
import type { JsonValue } from '../common/types.js';
import { findTextExcess } from '../schema/parse/jsonExtent.js';
import type { BundleEntry } from './BundleEntry.js';
import { copyBoundedJson } from './copyBoundedJson.js';
import { CUT_TEXT_CHARS, LINE_EXTENT } from './limits.js';
import type { Secrets } from './Secrets.js';

/** A full buffer stops, or forgets its oldest entries. */
export type WhenFull = 'stop' | 'forget';

type Fields = Readonly<Record<string, JsonValue>>;

/** An entry before it has a place. */
export type NewEntry<K extends BundleEntry['kind'] = BundleEntry['kind']> = {
  readonly [P in K]: Omit<BundleEntry<P>, 'seq' | 'time' | 'leftOut'>;
}[K];

interface Line {
  readonly text: string;
  /** The number of secrets that were known when it was written. */
  readonly secrets: number;
}

const FORGOTTEN: Line = { text: '', secrets: 0 };

/** Receives each entry as one line of JSON. */
export type LineListener = (line: string) => void;

/** Keeps the entries of a recording as lines of JSON, within a number of characters. */
export class EntryBuffer {
  readonly #secrets: Secrets;
  readonly #now: () => number;
  readonly #maxChars: number;
  readonly #whenFull: WhenFull;
  readonly #listeners = new Set<LineListener>();
  #lines: Line[] = [];
  /** Lines before this index are forgotten. */
  #first = 0;
  #chars = 0;
  #next = 0;
  #isFull = false;
  #isClosed = false;

  constructor(
    secrets: Secrets,
    options: { readonly now: () => number; readonly maxChars: number; readonly whenFull: WhenFull },
  ) {
    this.#secrets = secrets;
    this.#now = options.now;
    this.#maxChars = options.maxChars;
    this.#whenFull = options.whenFull;
  }

  /** True once entries were left out or forgotten. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** True for the older half of a buffer that forgets: entries that later ones refer to have to be written again. */
  isFading(seq: number): boolean {
    if (this.#whenFull === 'stop' || this.#chars <= this.#maxChars / 2) return false;
    return seq < this.#next - (this.#lines.length - this.#first) / 2;
  }

  /** Takes no further entries: runs that have begun write some after the end of the recording. */
  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
  }

  /** Writes an entry, and returns its `seq`; never throws. */
  add(entry: NewEntry): number {
    const seq = this.#next;
    if (this.#isClosed || (this.#isFull && this.#whenFull === 'stop')) return seq;
    this.#next++;
    const { kind, ...fields } = entry;
    const plain = mapEntries<unknown, JsonValue>(omitUndefined(fields), (_key, value) => copyBoundedJson(value));
    const text = writeLine(this.#secrets.hideIn({ kind, seq, time: this.#now(), ...plain }));
    if (this.#whenFull === 'stop' && this.#chars + text.length > this.#maxChars) {
      this.#isFull = true;
      this.#next--;
      return seq;
    }
    this.#chars += text.length;
    this.#lines.push({ text, secrets: this.#secrets.count });
    this.#forget();
    for (const listener of this.#listeners) listener(text);
    return seq;
  }

  /** The lines, oldest first, without any secret that has become known since they were written. */
  lines(): readonly string[] {
    return this.#lines.slice(this.#first).map((line) => this.#hideSecrets(line));
  }

  /** Calls the listener with each further line; the returned function ends that. */
  listen(listener: LineListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #forget(): void {
    while (this.#chars > this.#maxChars && this.#first < this.#lines.length - 1) {
      this.#chars -= this.#lines[this.#first]?.text.length ?? 0;
      // The text goes at once; its place goes with many others.
      this.#lines[this.#first] = FORGOTTEN;
      this.#first++;
      this.#isFull = true;
    }
    // Moving the rest for each line that is forgotten would take as long as there are lines.
    if (this.#first > 10_000 && this.#first > this.#lines.length / 2) {
      this.#lines = this.#lines.slice(this.#first);
      this.#first = 0;
    }
  }

  #hideSecrets({ text, secrets }: Line): string {
    if (secrets === this.#secrets.count) return text;
    const entry = JSON.parse(text) as Fields;
    return writeLine(this.#secrets.hideIn(entry));
  }
}

/** Writes an entry as a line that `readBundle` reads: fields that are too large for it are emptied, and named in `leftOut`. */
function writeLine(entry: Fields): string {
  let [line, fields] = [JSON.stringify(entry), entry];
  for (const name of isReadable(line) ? [] : sortBySize(entry)) {
    const leftOut = [...((fields['leftOut'] ?? []) as readonly JsonValue[]), name];
    fields = { ...fields, [name]: emptyLargestField(fields[name] ?? null), leftOut };
    line = JSON.stringify(fields);
    if (isReadable(line)) break;
  }
  return line;
}

function isReadable(line: string): boolean {
  return line.length <= LINE_EXTENT.chars && findTextExcess(line, LINE_EXTENT) === undefined;
}

function sortBySize(entry: Fields): readonly string[] {
  const sizes = Object.entries(entry).map(([name, value]) => [name, JSON.stringify(value).length] as const);
  return sizes.sort(([, one], [, other]) => other - one).map(([name]) => name);
}

/** A value of the same type that holds nothing, or little. */
function emptyLargestField(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cut(value, CUT_TEXT_CHARS);
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : value;
}

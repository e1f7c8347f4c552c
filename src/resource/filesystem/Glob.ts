import { readGlob, type GlobPart } from './globSyntax.js';

/** A place in the pattern that matches a character, and the places that may match the next one. */
interface Place {
  readonly test: (codePoint: number) => boolean;
  next: readonly number[];
}

/** The state after reading a text: the places in the pattern that may match the next character. */
export class GlobState {
  readonly places: readonly number[];
  /** True if the text read so far is a match. */
  readonly accepts: boolean;
  /** Known transitions by character; undefined in a state that is not cached. */
  readonly steps: Map<number, GlobState> | undefined;

  constructor(places: readonly number[], isCached: boolean) {
    this.places = places;
    this.steps = isCached ? new Map() : undefined;
    this.accepts = places.includes(END);
  }

  /** True if no continuation can be a match. */
  get isDead(): boolean {
    return this.places.length === 0;
  }
}

/** The place after the last one; it matches nothing. */
const END = 0;
const SLASH = 0x2f;
/** Maximum number of cached states: ordinary patterns need about ten, and hostile ones would need 2ⁿ. */
const MOST_STATES = 1_000;

/**
 * A pattern for paths; its syntax is documented at `Filesystem.glob` (docs/contract.md, 15).
 * Reads each character once, for any pattern: it never backtracks.
 */
export class Glob {
  readonly start: GlobState;
  readonly #places: Place[] = [{ test: () => false, next: [] }];
  readonly #states = new Map<string, GlobState>();

  /** @throws FilesystemError invalidPattern */
  constructor(pattern: string) {
    this.start = this.#state(this.#enter(readGlob(pattern), [END]));
  }

  matches(path: string): boolean {
    return this.read(this.start, path).accepts;
  }

  /** Continues from a state: a path may be read in parts, so that the name of a directory is read once for all paths in it. */
  read(from: GlobState, text: string): GlobState {
    let state = from;
    for (const character of text) {
      if (state.isDead) return state;
      const codePoint = character.codePointAt(0) ?? 0;
      state = state.steps?.get(codePoint) ?? this.#step(state, codePoint);
    }
    return state;
  }

  #step(state: GlobState, codePoint: number): GlobState {
    const next = new Set<number>();
    for (const at of state.places) {
      const place = this.#places[at];
      if (place?.test(codePoint) === true) for (const each of place.next) next.add(each);
    }
    const reached = this.#state([...next]);
    if (reached.steps !== undefined) state.steps?.set(codePoint, reached);
    return reached;
  }

  #state(places: readonly number[]): GlobState {
    const sorted = [...new Set(places)].sort((a, b) => a - b);
    const key = sorted.join();
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const isCached = this.#states.size < MOST_STATES;
    const state = new GlobState(sorted, isCached);
    if (isCached) this.#states.set(key, state);
    return state;
  }

  /** The places that may match the first character of these parts, if `after` may match the one behind them. */
  #enter(parts: readonly GlobPart[], after: readonly number[]): readonly number[] {
    return parts.reduceRight((next, part) => this.#enterPart(part, next), after);
  }

  #enterPart(part: GlobPart, after: readonly number[]): readonly number[] {
    switch (part.is) {
      case 'character':
        return [this.#place(part.test, after)];
      case 'star': {
        const loop = this.#place((codePoint) => codePoint !== SLASH, []);
        return this.#linked(loop, [loop, ...after]);
      }
      case 'directories': {
        const name = this.#place((codePoint) => codePoint !== SLASH, []);
        const slash = this.#place((codePoint) => codePoint === SLASH, [name, ...after]);
        this.#linked(name, [name, slash]);
        return [name, ...after];
      }
      case 'everything': {
        const loop = this.#place(() => true, []);
        this.#linked(loop, [loop, ...after]);
        return [loop];
      }
      case 'either':
        return unique(part.of.flatMap((parts) => this.#enter(parts, after)));
    }
  }

  #place(test: Place['test'], next: readonly number[]): number {
    return this.#places.push({ test, next }) - 1;
  }

  /** Sets the successors of a place that may follow itself. */
  #linked(at: number, next: readonly number[]): readonly number[] {
    const place = this.#places[at];
    if (place !== undefined) place.next = unique(next);
    return next;
  }
}

function unique(places: readonly number[]): readonly number[] {
  return [...new Set(places)];
}

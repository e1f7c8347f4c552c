import { readGlob, type GlobPart } from './globSyntax.js';

/** A place in the pattern that takes a character, and the places that may take the next one. */
interface Place {
  readonly test: (codePoint: number) => boolean;
  next: readonly number[];
}

/** How far a text has been read: where in the pattern the next character may stand. */
export class GlobState {
  readonly places: readonly number[];
  /** True when what was read so far is a match. */
  readonly accepts: boolean;
  /** Where characters that were met led to; undefined in a state that is not remembered. */
  readonly steps: Map<number, GlobState> | undefined;

  constructor(places: readonly number[], isRemembered: boolean) {
    this.places = places;
    this.steps = isRemembered ? new Map() : undefined;
    this.accepts = places.includes(END);
  }

  /** True when nothing that follows can make it a match. */
  get isDead(): boolean {
    return this.places.length === 0;
  }
}

/** The place after the last one; it takes nothing. */
const END = 0;
const SLASH = 0x2f;
/** So many states are remembered: patterns of users need some ten, and hostile ones would need 2ⁿ. */
const MOST_STATES = 1_000;

/**
 * A pattern that paths are matched with; what it may hold is said at `Filesystem.glob` (docs/contract.md, 15).
 * It reads each character once, whatever the pattern: at no time does it go back and try another way.
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

  /** Goes on reading: a path may be read in parts, and so all paths of a directory read its name only once. */
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
    const isRemembered = this.#states.size < MOST_STATES;
    const state = new GlobState(sorted, isRemembered);
    if (isRemembered) this.#states.set(key, state);
    return state;
  }

  /** The places that may take the first character of these parts, when `after` may take the one behind them. */
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

  /** Says what follows a place that may follow itself. */
  #linked(at: number, next: readonly number[]): readonly number[] {
    const place = this.#places[at];
    if (place !== undefined) place.next = unique(next);
    return next;
  }
}

function unique(places: readonly number[]): readonly number[] {
  return [...new Set(places)];
}

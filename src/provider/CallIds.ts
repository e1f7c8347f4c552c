/**
 * The ids of calls as they are sent to a provider. A model may use one id for two calls, and providers then refuse the
 * whole conversation from the next request on. Therefore the second `x` is sent as `x_2`, in the call and in its
 * result.
 */
export class CallIds {
  readonly #legal: (id: string) => string;
  readonly #sent = new Set<string>();
  /** The number of the next copy of each id. All earlier ones were sent. */
  readonly #nextCopy = new Map<string, number>();
  #unanswered = new Map<string, Unanswered>();

  /** @param legal rewrites an id with the characters that the provider accepts */
  constructor(legal: (id: string) => string = (id) => id) {
    this.#legal = legal;
  }

  /** Begins a turn, and returns the ids of its calls, all different from the ids sent before. */
  begin(given: readonly string[]): readonly string[] {
    this.#unanswered = new Map();
    const own = new Set(given.map(this.#legal));
    return given.map((id) => {
      const unique = this.#makeUnique(this.#legal(id), own);
      this.#sent.add(unique);
      const unanswered = this.#unanswered.get(id);
      if (unanswered === undefined) this.#unanswered.set(id, { ids: [unique], answered: 0 });
      else unanswered.ids.push(unique);
      return unique;
    });
  }

  /**
   * Returns the id of the call that a result belongs to. Returns undefined if the turn has no such call, or it has its
   * result already.
   */
  matchAnswer(id: string): string | undefined {
    const unanswered = this.#unanswered.get(id);
    return unanswered?.ids[unanswered.answered++];
  }

  #makeUnique(id: string, own: ReadonlySet<string>): string {
    if (!this.#sent.has(id)) return id;
    // Continues counting, because thousands of calls may share an id. Skips a copy that equals the id of another call
    // of this turn.
    let copy = this.#nextCopy.get(id) ?? 2;
    let unique = `${id}_${String(copy)}`;
    while (this.#sent.has(unique) || own.has(unique)) unique = `${id}_${String(++copy)}`;
    this.#nextCopy.set(id, copy + 1);
    return unique;
  }
}

/** The calls of a turn that share an id, and the number of those with a result. */
interface Unanswered {
  readonly ids: string[];
  answered: number;
}

/**
 * The ids of calls as they are sent to a provider. A model may use one id for two calls, and providers then refuse the whole
 * conversation from the next request on; so the second `x` is sent as `x_2`, in the call and in its answer.
 */
export class CallIds {
  readonly #legal: (id: string) => string;
  readonly #sent = new Set<string>();
  #unanswered = new Map<string, string[]>();

  /** @param legal rewrites an id with the characters that the provider accepts */
  constructor(legal: (id: string) => string = (id) => id) {
    this.#legal = legal;
  }

  /** Begins a turn, and returns the ids of its calls, each different from all that were sent before. */
  begin(given: readonly string[]): readonly string[] {
    this.#unanswered = new Map();
    const own = new Set(given.map(this.#legal));
    return given.map((id) => {
      const unique = this.#unique(this.#legal(id), own);
      this.#sent.add(unique);
      this.#unanswered.set(id, [...(this.#unanswered.get(id) ?? []), unique]);
      return unique;
    });
  }

  /** Returns the id of the call that an answer belongs to; undefined if the turn has no such call, or it is answered already. */
  answered(id: string): string | undefined {
    return this.#unanswered.get(id)?.shift();
  }

  #unique(id: string, own: ReadonlySet<string>): string {
    let unique = id;
    for (let copy = 2; this.#sent.has(unique) || (copy > 2 && own.has(unique)); copy++)
      unique = `${id}_${String(copy)}`;
    return unique;
  }
}

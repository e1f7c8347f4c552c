import type { ProgramSettings } from '../ProgramSettings.js';

/** The parties that a program runs for; each has a quota. */
export interface ProgramOwners {
  readonly toolkit: object;
  readonly session: object;
  /** Undefined if the host names none. */
  readonly principal: string | undefined;
}

type Quotas = ProgramSettings['quotas'];

const texts: Readonly<Record<keyof Quotas, string>> = {
  total: 'in this sandbox',
  perToolkit: 'of these tools',
  perSession: 'of this session',
  perPrincipal: 'of this principal',
};

/** Counts the programs in progress in one sandbox, by their owners. */
export class ProgramPlaces {
  readonly #counts = new Map<unknown, number>();

  /**
   * Counts one more program, unless it would exceed a quota.
   *
   * @returns a function to call when the program has ended; or a text that names the exhausted quota
   */
  take({ toolkit, session, principal }: ProgramOwners, quotas: Quotas): (() => void) | string {
    const owners: readonly (readonly [keyof Quotas, unknown])[] = [
      ['total', this],
      ['perToolkit', toolkit],
      ['perSession', session],
      ...(principal === undefined ? [] : [['perPrincipal', principal] as const]),
    ];
    const full = owners.find(([quota, owner]) => this.#count(owner) >= quotas[quota]);
    if (full !== undefined) {
      const [quota] = full;
      return `${String(quotas[quota])} programs ${texts[quota]} are under way, which is the most (${quota})`;
    }
    for (const [, owner] of owners) this.#counts.set(owner, this.#count(owner) + 1);
    return () => {
      for (const [, owner] of owners) {
        const left = this.#count(owner) - 1;
        if (left > 0) this.#counts.set(owner, left);
        else this.#counts.delete(owner);
      }
    };
  }

  #count(owner: unknown): number {
    return this.#counts.get(owner) ?? 0;
  }
}

const ofSandboxes = new WeakMap<object, ProgramPlaces>();

/** Returns the places of a sandbox; all toolkits that use it share them. */
export function placesOf(sandbox: object): ProgramPlaces {
  const places = ofSandboxes.get(sandbox) ?? new ProgramPlaces();
  ofSandboxes.set(sandbox, places);
  return places;
}

import type { ProgramSettings } from '../ProgramSettings.js';

/** On whose behalf a program runs. */
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

/** Counts the programs of one sandbox that are under way, by their owners. */
export class ProgramPlaces {
  readonly #counts = new Map<unknown, number>();

  /**
   * Counts one more program, unless that would exceed a quota.
   *
   * @returns a function to call when the program has ended, or the quota that is used up, in words
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

/** The places of a sandbox, which all toolkits share that use it. */
export function placesOf(sandbox: object): ProgramPlaces {
  const places = ofSandboxes.get(sandbox) ?? new ProgramPlaces();
  ofSandboxes.set(sandbox, places);
  return places;
}

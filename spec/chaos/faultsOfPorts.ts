/** Something that user code may do in place of what its port asks for. */
export type Fault = keyof typeof FAULTS;

const never = (): Promise<never> => new Promise(() => undefined);

function cycle(): object {
  const ring: Record<string, unknown> = { name: 'ring' };
  return Object.assign(ring, { self: ring, list: [ring] });
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const trap = (): never => {
  throw new Error('A trap.');
};

/** Gives in place of the sound answer of a port, which `sound` computes. */
export const FAULTS = {
  throws: (_sound: () => unknown, point: string): unknown => {
    throw new Error(`${point} threw.`);
  },
  throwsUndefined: (): unknown => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- user code may throw anything
    throw undefined;
  },
  throwsProxy: (): unknown => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- user code may throw anything
    throw revoked();
  },
  rejects: (_sound: () => unknown, point: string): unknown => Promise.reject(new Error(`${point} rejected.`)),
  rejectsLater: (_sound: () => unknown, point: string): unknown =>
    new Promise((_resolve, reject) => {
      setTimeout(() => {
        reject(new Error(`${point} rejected later.`));
      }, 700);
    }),
  hangs: (): unknown => never(),
  givesUndefined: (): unknown => undefined,
  givesNaN: (): unknown => NaN,
  givesText: (): unknown => 'nonsense',
  givesCycle: (): unknown => cycle(),
  givesProxy: (): unknown => new Proxy({}, { get: trap, ownKeys: trap, getPrototypeOf: trap }),
  givesRevoked: (): unknown => revoked(),
  givesGetter: (): unknown => Object.defineProperty({}, 'kind', { enumerable: true, get: trap }),
  givesThenable: (): unknown => ({ then: trap }),
  answersLater: (sound: () => unknown): unknown => Promise.resolve().then(sound),
  answersLate: async (sound: () => unknown): Promise<unknown> => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    return sound();
  },
} as const satisfies Readonly<Record<string, (sound: () => unknown, point: string) => unknown>>;

/** The faults of one run: what goes wrong at a point, from which time on it is asked. */
export class FaultPlan {
  readonly #points: ReadonlyMap<string, { readonly fault: Fault; readonly from: number }>;
  readonly #asked = new Map<string, number>();

  constructor(points: readonly { readonly point: string; readonly fault: Fault; readonly from: number }[]) {
    this.#points = new Map(points.map(({ point, fault, from }) => [point, { fault, from }]));
  }

  /** The function of a port that has an effect: an answer of the wrong kind comes after the effect, since no one could see a lie. */
  effect<A extends readonly unknown[], R>(point: string, sound: (...args: A) => R): (...args: A) => R {
    const planned = this.#points.get(point);
    if (!planned?.fault.startsWith('gives')) return this.at(point, sound);
    return (...args) => {
      sound(...args);
      return FAULTS[planned.fault](() => undefined, point) as R;
    };
  }

  /** The function of a port: `sound`, unless the plan has a fault there. */
  at<A extends readonly unknown[], R>(point: string, sound: (...args: A) => R): (...args: A) => R {
    const planned = this.#points.get(point);
    if (planned === undefined) return sound;
    return (...args) => {
      const before = this.#asked.get(point) ?? 0;
      this.#asked.set(point, before + 1);
      return before < planned.from ? sound(...args) : (FAULTS[planned.fault](() => sound(...args), point) as R);
    };
  }
}

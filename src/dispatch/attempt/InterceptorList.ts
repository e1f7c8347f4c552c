import type { Interceptor } from '../../interface/Interceptor.js';

type Method = keyof Interceptor;
type Layers = { readonly [K in Method]: readonly NonNullable<Interceptor[K]>[] };

/** The interceptors of an application, by method. An inspector, for example, may add one while the application runs. */
export class InterceptorList {
  #all: readonly Interceptor[];
  #layers: Layers;

  constructor(given: readonly Interceptor[]) {
    this.#all = given;
    this.#layers = groupByMethod(given);
  }

  /**
   * Returns the interceptors' functions for a method, outermost first. Operations that have begun keep the list that they got.
   */
  of<K extends Method>(method: K): Layers[K] {
    return this.#layers[method];
  }

  /** Adds an innermost interceptor; the returned function removes it. */
  add(one: Interceptor): () => void {
    this.#replace([...this.#all, one]);
    return () => {
      this.#replace(this.#all.filter((other) => other !== one));
    };
  }

  #replace(all: readonly Interceptor[]): void {
    this.#all = all;
    this.#layers = groupByMethod(all);
  }
}

function groupByMethod(all: readonly Interceptor[]): Layers {
  const bind = <K extends Method>(method: K): Layers[K] =>
    all.flatMap((one) => one[method]?.bind(one) ?? []) as unknown as Layers[K];
  return {
    aroundRun: bind('aroundRun'),
    aroundModel: bind('aroundModel'),
    aroundCall: bind('aroundCall'),
    aroundTool: bind('aroundTool'),
    aroundProgram: bind('aroundProgram'),
  };
}

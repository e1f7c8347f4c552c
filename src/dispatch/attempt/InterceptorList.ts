import type { Interceptor } from '../../interface/Interceptor.js';
import { bindMethods } from './runIntercepted.js';

type Method = keyof Interceptor;
type Layers = { readonly [K in Method]: readonly NonNullable<Interceptor[K]>[] };

/** The interceptors of an application, by method; others may join while it runs, such as those of an inspector. */
export class InterceptorList {
  #all: readonly Interceptor[];
  #layers: Layers;

  constructor(given: readonly Interceptor[]) {
    this.#all = given;
    this.#layers = layersOf(given);
  }

  /** The interceptors that have the method, as functions; the first is outermost. What has begun keeps the ones that it got. */
  of<K extends Method>(method: K): Layers[K] {
    return this.#layers[method];
  }

  /** Adds an interceptor inside of all others; the returned function takes it out again. */
  add(one: Interceptor): () => void {
    this.#replace([...this.#all, one]);
    return () => {
      this.#replace(this.#all.filter((other) => other !== one));
    };
  }

  #replace(all: readonly Interceptor[]): void {
    this.#all = all;
    this.#layers = layersOf(all);
  }
}

function layersOf(all: readonly Interceptor[]): Layers {
  return {
    aroundRun: bindMethods(all, 'aroundRun'),
    aroundModel: bindMethods(all, 'aroundModel'),
    aroundCall: bindMethods(all, 'aroundCall'),
    aroundTool: bindMethods(all, 'aroundTool'),
    aroundProgram: bindMethods(all, 'aroundProgram'),
  };
}

import { createRequire } from 'node:module';
import { host } from './builtins.js';
import { memoize } from './memoize.js';

/** A package that is loaded on first use, because few processes need it and code that needs it cannot wait for `import()`. */
export class LatePackage<T> {
  readonly #name: string;
  readonly #import: () => Promise<T>;
  #loaded: T | undefined;

  /** @param load imports the package; bundlers include it because of this import */
  constructor(name: string, load: () => Promise<T>) {
    this.#name = name;
    this.#import = load;
  }

  /** @throws Node's error if the package is missing */
  get(): T {
    return (this.#loaded ??= this.#search((require) => require(this.#name) as T));
  }

  /** Checks whether `get` finds the package: a bundle may run without it. */
  isInstalled(): boolean {
    try {
      this.#search((require) => require.resolve(this.#name));
      return true;
    } catch {
      return false;
    }
  }

  /** Imports the package. In a bundle, this is the copy that the application uses. */
  async load(): Promise<void> {
    this.#loaded ??= await this.#import();
  }

  /** Imports the copy in a bundle that runs without the installed package. */
  async loadBundled(): Promise<void> {
    if (!this.isInstalled()) await this.load();
  }

  #search<R>(read: (require: NodeJS.Require) => R): R {
    try {
      return read(requireHere());
    } catch {
      // A bundled application may be elsewhere than its packages.
      return read(createRequire(`${host.cwd()}/`));
    }
  }
}

const requireHere = memoize(() => createRequire(__filename));

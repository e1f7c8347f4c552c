/**
 * The folder of the compiled sources that are running; worker threads are started from its files, in the same module format.
 * scripts/build.mjs writes this module into dist/cjs and dist/esm, since no source works in both formats.
 */
export declare const builtFolder: string;

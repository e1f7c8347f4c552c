/**
 * The folder of the compiled sources that are running, in whose format they are; worker threads are started from files in it.
 * scripts/build.mjs writes this module into dist/cjs and dist/esm, since what it says cannot be written for both at once.
 */
export declare const builtFolder: string;

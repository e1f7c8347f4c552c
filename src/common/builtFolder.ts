/**
 * The folder of the ES modules of this build. Worker threads are started from its files, also by an application that loads
 * CommonJS: one copy serves both. scripts/build.mjs writes this module, since no source works in both formats.
 */
export declare const builtFolder: string;

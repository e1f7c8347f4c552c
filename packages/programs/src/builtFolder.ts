/**
 * The folder of the built package. Threads are started from its `workers/`, which has ES modules, also by an application that loads
 * CommonJS.
 */
export const builtFolder = __dirname;

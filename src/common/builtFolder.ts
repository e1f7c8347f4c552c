/**
 * The folder of the built package. Threads start from its `workers/`, which holds ES modules, also in an application
 * that loads CommonJS.
 */
export const builtFolder = __dirname;

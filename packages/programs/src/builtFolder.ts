/** The folder of the built package. Both formats start their threads from the ES modules in its `workers/`. */
export const builtFolder = __dirname;

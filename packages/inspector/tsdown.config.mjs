// The server as one module that imports toolwright; build.mjs runs it.
export default {
  entry: { index: 'src/server/index.ts' },
  outDir: 'dist/server',
  tsconfig: 'tsconfig.build.json',
  target: 'node20.19',
  fixedExtension: false,
  sourcemap: true,
  logLevel: 'warn',
  checks: { pluginTimings: false },
  deps: { skipNodeModulesBundle: true },
  dts: { sourcemap: false },
};

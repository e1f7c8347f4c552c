// The plugin of docs/toolchain.md, for Vite.
import { transform } from 'esbuild';

export const standardDecorators = {
  name: 'standard-decorators',
  enforce: 'pre',
  transform: (code, file) =>
    file.endsWith('.ts') ? transform(code, { loader: 'ts', target: 'es2022', sourcemap: true, tsconfigRaw: {} }) : null,
};

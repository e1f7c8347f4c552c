import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InlineConfig } from 'vite';
import { tsconfigText, type Compiler } from './Compiler.js';
import { node, write } from './Workspace.js';

/** Vite's own compiler (oxc) and bundler (rolldown): a build for Node, which reads the project's `tsconfig.json`. */
export const vite: Compiler = {
  name: 'Vite',
  async compile(...projects) {
    for (const { folder, settings } of projects) write(folder, { 'tsconfig.json': tsconfigText(settings) });
    const faults = await viteBuild(...projects.map(({ folder, settings }) => ({ folder, format: settings.format })));
    if (faults.some((fault) => fault !== '')) throw new Error(`Vite failed:\n${faults.join('\n')}`);
  },
};

/** One build of Vite. */
export interface ViteBuild {
  readonly folder: string;
  readonly format: 'esm' | 'cjs';
  readonly ssr?: NonNullable<InlineConfig['ssr']>;
  readonly oxc?: NonNullable<InlineConfig['oxc']>;
  readonly minify?: boolean;
  readonly keepNames?: boolean;
  /** Compiles decorators with the plugin of docs/toolchain.md. */
  readonly standard?: boolean;
}

// Vite is an ES module, which jest's own loader cannot take: it runs in a process of its own, one for several builds.
const program = `
  import { build } from 'vite';
  import { standardDecorators } from ${JSON.stringify(pathToFileURL(join(__dirname, 'standardDecorators.mjs')).href)};
  const faults = [];
  for (const { standard, ...config } of JSON.parse(process.argv[1])) {
    if (standard) config.plugins = [standardDecorators];
    await build(config).then(() => faults.push(''), (error) => faults.push(String(error.message)));
  }
  process.stdout.write(JSON.stringify(faults));
`;

/** Runs `vite build --ssr src/main.ts`; returns for each build its errors, or an empty text. */
export async function viteBuild(...builds: readonly ViteBuild[]): Promise<readonly string[]> {
  const configs = builds.map((build) => JSON.stringify(configOf(build)));
  const { stdout, stderr } = await node(builds[0]?.folder ?? '', [
    '--input-type=module',
    '--eval',
    program,
    `[${configs.join()}]`,
  ]);
  if (stdout === '') throw new Error(`Vite did not run:\n${stderr}`);
  return JSON.parse(stdout) as readonly string[];
}

function configOf({ folder, format, ssr, minify = false, keepNames = false, ...rest }: ViteBuild): InlineConfig {
  const output = { format: format === 'esm' ? 'es' : 'cjs', entryFileNames: 'main.js', keepNames } as const;
  const build = { ssr: 'src/main.ts', outDir: 'out', minify, rolldownOptions: { output } };
  // Vite leaves installed packages out of a build for Node; this one is linked, so it needs the option.
  return {
    ...rest,
    ssr: ssr ?? { external: ['toolwright'] },
    root: folder,
    configFile: false,
    logLevel: 'silent',
    build,
  };
}

// `npm run sample -- 33-nest-application`: builds what is missing and runs one sample. Further arguments are passed to the sample.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildAgainstPackages } from './build.mjs';
import { fail, root, run } from './process.mjs';

const [name = '', ...args] = process.argv.slice(2);
if (!existsSync(join(root, 'samples', name, 'main.ts')))
  fail(`There is no sample "${name}". samples/README.md lists them; one is run by npm run sample -- 01-first-tool`);
await buildAgainstPackages('samples');
process.exitCode = run(process.execPath, [`build/samples/${name}/main.js`, ...args]);

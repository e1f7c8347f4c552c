// `npm run sample -- 33-nest-application`: builds what is missing and runs one sample, or another program of it, such as
// 20-retail-desk/retail. Further arguments are passed to it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildAgainstPackages } from './build.mjs';
import { fail, root, run } from './process.mjs';

const [name = '', ...args] = process.argv.slice(2);
const program = [`${name}/main`, name].find((each) => existsSync(join(root, 'samples', `${each}.ts`)));
if (program === undefined)
  fail(`There is no sample "${name}". samples/README.md lists them; one is run by npm run sample -- 01-first-tool`);
await buildAgainstPackages('samples');
process.exitCode = run(process.execPath, [`build/samples/${program}.js`, ...args]);

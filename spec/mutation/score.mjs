// `node spec/mutation/score.mjs src/session [--sample 0.2]`: Stryker's score for a folder or file, over the short specs; by hand,
// since it takes minutes to an hour. Stryker and Node 24 come from npm into build/. The survivors are listed, and kept as JSON.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { newNode } from '../../scripts/node24.mjs';
import { fail, must, root, run } from '../../scripts/process.mjs';

const STRYKER = '10.0.0';
const MOCHA = '11.8.0';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { sample: { type: 'string' } } });
const [place] = positionals;
if (place === undefined || !existsSync(join(root, place)))
  fail('Give the folder or file to mutate: `node spec/mutation/score.mjs src/session`.');
const share = Number(values.sample ?? 1);
if (!(share > 0 && share <= 1)) fail(`--sample is the share of mutants to try, such as 0.2; not ${values.sample}.`);

const { node, problem } = newNode();
if (problem !== undefined) fail(problem);
const tools = join(root, `build/stryker-${STRYKER}`);
if (!existsSync(join(tools, 'node_modules/@stryker-mutator/mocha-runner'))) {
  mkdirSync(tools, { recursive: true });
  const packages = [`@stryker-mutator/core@${STRYKER}`, `@stryker-mutator/mocha-runner@${STRYKER}`, `mocha@${MOCHA}`];
  must('npm install of Stryker', 'npm', ['install', '--no-save', '--prefix', tools, ...packages]);
}
process.exitCode = run(
  node,
  [join(tools, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', 'spec/mutation/stryker.config.cjs'],
  { env: { MUTATE: place, SAMPLE: String(share) } },
);

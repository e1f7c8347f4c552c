// `npm test`: installs and builds what is missing, then runs the short specs. `--long` runs the long ones (spec/support/longSpecs.cjs),
// and then attacks separately; `--node24` runs them on Node 24, which is installed from npm, like the database libraries of
// `recipes/`; `--profile` prints where the time went. Other arguments after `--` are passed to jest: with a path or a name, all
// matching specs run. Specs that import only public entries run against the built packages.
import { availableParallelism } from 'node:os';
import { installRecipes } from '../recipes/install.mjs';
import { build } from './build.mjs';
import { node24 } from './node24.mjs';
import { fail, run } from './process.mjs';

const own = ['--long', '--node24', '--profile'];
const [isLong, isNode24, isProfiled] = own.map((option) => process.argv.includes(option));
const args = process.argv.slice(2).filter((arg) => !own.includes(arg));
const isNamed = args.some((arg) => !arg.startsWith('--'));

await build();
const node = isNode24 ? await prepareNode24() : process.execPath;
const jest = (specs, ...more) =>
  run(node, ['node_modules/jest/bin/jest.js', ...args, ...more], { env: { SPECS: specs } });
if (isProfiled) await (await import('../spec/support/testProfile.mjs')).profile(jest);
else if (isNamed) process.exitCode = jest('all');
else if (!isLong) process.exitCode = jest('short');
else {
  // Many long specs wait for processes and databases, so a core has one more.
  const code = jest('long', `--maxWorkers=${availableParallelism() + 1}`);
  // Attacks measure how long the host is blocked, so nothing else may run beside them.
  process.exitCode = Math.max(code, jest('attacks', '--runInBand'));
}

async function prepareNode24() {
  const found = node24();
  for (const problem of [found.problem, installRecipes()]) if (problem !== undefined) fail(problem);
  return found.node;
}

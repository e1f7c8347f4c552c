// `npm run test:node24`: runs the tests on Node 24, which comes from npm, as do the database libraries of `recipes/`. Arguments after `--` are for jest.
import { node24 } from './node24.mjs';
import { fail, run } from './process.mjs';
import { installRecipes } from './recipes.mjs';

const { node, problem } = node24();
for (const each of [problem, installRecipes()]) if (each !== undefined) fail(each);
process.exitCode = run(node, ['scripts/test.mjs', ...process.argv.slice(2)]);

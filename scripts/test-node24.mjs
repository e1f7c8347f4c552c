// `npm run test:node24`: runs the tests on Node 24, which comes from npm. Arguments after `--` are for jest.
import { node24 } from './node24.mjs';
import { fail, run } from './process.mjs';

const { node, problem } = node24();
if (problem !== undefined) fail(problem);
process.exitCode = run(node, ['scripts/test.mjs', ...process.argv.slice(2)]);

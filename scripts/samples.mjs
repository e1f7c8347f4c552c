// `npm run samples`: runs samples/NN-*/main.ts in order. A sample asserts its own result and must end with exit code 0.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildAgainstPackage } from './build.mjs';
import { capture, fail, root } from './process.mjs';

const names = readdirSync(join(root, 'samples'))
  .filter((name) => /^\d\d-/.test(name))
  .sort();
if (names.length === 0) fail('samples/ holds no sample.');
buildAgainstPackage('samples');

const failed = names.filter((name) => {
  const main = `build/samples/${name}/main.js`;
  const { ok, output } = existsSync(join(root, main))
    ? capture(process.execPath, [main])
    : { ok: false, output: 'It has no main.ts.' };
  console.log(`${ok ? 'ok    ' : 'FAILED'} samples/${name}`);
  if (!ok) console.log(output);
  return !ok;
});
console.log(`samples: ${names.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

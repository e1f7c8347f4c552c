import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runComparison } from './compare.js';

/** Compares or evaluates the public tasks. Their folder is `retail` in `TOOLWRIGHT_DATA`, or in `../shared/data`. */
function runRetail(args: readonly string[]): Promise<number> {
  const folder = join(process.env['TOOLWRIGHT_DATA'] ?? '../shared/data', 'retail');
  const isNamed = args.some((arg) => /^--(?:data|tasks)\b/.test(arg));
  if (!isNamed && !existsSync(folder)) {
    console.error(
      `retail: absent: there is no folder ${folder}. Set TOOLWRIGHT_DATA, or pass --data DIR --tasks FILE.`,
    );
    return Promise.resolve(2);
  }
  const data = isNamed ? [] : ['--data', folder, '--tasks', join(folder, 'tasks.jsonl')];
  return runComparison([...data, ...args], console.log, console.error);
}

runRetail(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);

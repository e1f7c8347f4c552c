import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtFolder } from '../common/builtFolder.js';

/** The version of this package; `unknown` where its files were moved into those of another one. */
export function packageVersion(): string {
  for (let folder = builtFolder; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown; version?: unknown };
    if (name === 'toolwright' && typeof version === 'string') return version;
  }
  return 'unknown';
}

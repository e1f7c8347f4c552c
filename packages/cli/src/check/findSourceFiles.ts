import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_SEARCHED_FILES } from '../limits.js';
import { isSource } from '../load/findModuleFormat.js';

const LEFT_OUT = new Set(['node_modules', 'dist', 'build', 'out', 'coverage']);

/** Finds the TypeScript files below a folder, except installed packages and builds. */
export function findSourceFiles(folder: string): readonly string[] {
  const found: string[] = [];
  const walk = (at: string): void => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (found.length >= MAX_SEARCHED_FILES) return;
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (!LEFT_OUT.has(entry.name) && !entry.name.startsWith('.')) walk(path);
      } else if (isSource(path)) found.push(path);
    }
  };
  walk(folder);
  return found.sort();
}

import type { StateChange } from '../../interface/Transactional.js';
import { Directory, type Entry } from './tree.js';

/** Lists the files that differ between two trees, by their paths. Shared parts of the trees cost nothing. */
export function listTreeChanges(before: Directory, after: Directory, prefix = ''): readonly StateChange[] {
  if (before === after) return [];
  const names = new Set([...before.entries, ...after.entries].map(([name]) => name));
  return [...names].flatMap((name) => {
    const [old, now] = [before.entries.get(name), after.entries.get(name)];
    if (old === now) return [];
    const below = listTreeChanges(getDirectory(old), getDirectory(now), `${prefix}${name}/`);
    const [earlier, later] = [readText(old), readText(now)];
    return earlier === later ? below : [{ what: `${prefix}${name}`, before: earlier, after: later }, ...below];
  });
}

function getDirectory(entry: Entry | undefined): Directory {
  return entry instanceof Directory ? entry : Directory.empty;
}

function readText(entry: Entry | undefined): string | undefined {
  return entry === undefined || entry instanceof Directory ? undefined : entry.content;
}

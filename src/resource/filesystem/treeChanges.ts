import type { StateChange } from '../../interface/Transactional.js';
import { Directory, type Entry } from './tree.js';

/** The files that differ between two trees, by their paths; the parts that the trees share cost nothing. */
export function treeChanges(before: Directory, after: Directory, prefix = ''): readonly StateChange[] {
  if (before === after) return [];
  const names = new Set([...before.entries, ...after.entries].map(([name]) => name));
  return [...names].flatMap((name) => {
    const [old, now] = [before.entries.get(name), after.entries.get(name)];
    if (old === now) return [];
    const below = treeChanges(directoryOf(old), directoryOf(now), `${prefix}${name}/`);
    const [earlier, later] = [textOf(old), textOf(now)];
    return earlier === later ? below : [{ what: `${prefix}${name}`, before: earlier, after: later }, ...below];
  });
}

function directoryOf(entry: Entry | undefined): Directory {
  return entry instanceof Directory ? entry : Directory.empty;
}

function textOf(entry: Entry | undefined): string | undefined {
  return entry === undefined || entry instanceof Directory ? undefined : entry.content;
}

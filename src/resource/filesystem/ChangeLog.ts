import { putDirectoryAt, putEntryAt, removeAt, type Directory, type Names, type StoredFile } from './tree.js';

/** One change, which can be applied to any state. */
type Change =
  | { readonly do: 'write'; readonly names: Names; readonly file: StoredFile }
  | { readonly do: 'makeDirectory' | 'delete'; readonly names: Names }
  | { readonly do: 'restore'; readonly root: Directory };

/** The changes of an overlay in order, to be replayed on a state that has changed. */
export class ChangeLog {
  #changes: Change[] = [];
  /** The indices of writes after the last deletion. Writing a file again replaces the earlier write. */
  readonly #writes = new Map<string, number>();

  add(change: Change): void {
    if (change.do === 'write') {
      const key = change.names.join('/');
      const earlier = this.#writes.get(key);
      if (earlier === undefined) this.#writes.set(key, this.#changes.push(change) - 1);
      else this.#changes[earlier] = change;
      return;
    }
    if (change.do !== 'makeDirectory') this.#writes.clear();
    // A restoration supersedes all earlier changes.
    if (change.do === 'restore') this.#changes = [];
    this.#changes.push(change);
  }

  append(other: ChangeLog): void {
    for (const change of other.#changes) this.add(change);
  }

  applyTo(root: Directory): Directory {
    return this.#changes.reduce(applyChange, root);
  }
}

function applyChange(root: Directory, change: Change): Directory {
  switch (change.do) {
    case 'write':
      return putEntryAt(root, change.names, change.file);
    case 'makeDirectory':
      return putDirectoryAt(root, change.names);
    case 'delete':
      return removeAt(root, change.names);
    case 'restore':
      return change.root;
  }
}

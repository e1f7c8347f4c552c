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

  write(names: Names, file: StoredFile): void {
    const key = names.join('/');
    const earlier = this.#writes.get(key);
    const change = { do: 'write', names, file } as const;
    if (earlier === undefined) this.#writes.set(key, this.#changes.push(change) - 1);
    else this.#changes[earlier] = change;
  }

  makeDirectory(names: Names): void {
    this.#changes.push({ do: 'makeDirectory', names });
  }

  delete(names: Names): void {
    this.#writes.clear();
    this.#changes.push({ do: 'delete', names });
  }

  /** Records a restoration, which supersedes all earlier changes. */
  restore(root: Directory): void {
    this.#writes.clear();
    this.#changes = [{ do: 'restore', root }];
  }

  append(other: ChangeLog): void {
    for (const change of other.#changes) {
      if (change.do === 'write') this.write(change.names, change.file);
      else if (change.do === 'restore') this.restore(change.root);
      else this[change.do](change.names);
    }
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

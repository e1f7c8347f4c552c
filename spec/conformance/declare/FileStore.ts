import type { Transactional } from 'toolwright';

/** Files of a case: stands in for the filesystem port until there is one, so that rolling files back is tried for real. */
export class FileStore implements Transactional<FileStore> {
  readonly #base: FileStore | undefined;
  // A deletion is a write too: it has to hide what lies below.
  readonly #writes = new Map<string, string | null>();

  constructor(files: Readonly<Record<string, string>> = {}, base?: FileStore) {
    this.#base = base;
    for (const [path, content] of Object.entries(files)) this.#writes.set(clean(path), content);
  }

  begin(): FileStore {
    return new FileStore({}, this);
  }

  commit(overlay: FileStore): void {
    for (const [path, content] of overlay.#writes) this.#writes.set(path, content);
  }

  write(path: string, content: string): void {
    this.#writes.set(clean(path), content);
  }

  delete(path: string): void {
    this.#writes.set(clean(path), null);
  }

  all(): Readonly<Record<string, string>> {
    const files = new Map<string, string | null>(Object.entries(this.#base?.all() ?? {}));
    for (const [path, content] of this.#writes) files.set(path, content);
    return Object.fromEntries([...files].flatMap(([path, content]) => (content === null ? [] : [[path, content]])));
  }
}

function clean(path: string): string {
  return path.replace(/^\/+/, '');
}

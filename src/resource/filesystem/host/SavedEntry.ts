import type { HostName } from './hostName.js';

/** What git calls a content; two contents are the same when it is. */
export type BlobId = string;

/** A file as a snapshot holds it. */
export interface SavedFile {
  readonly kind: 'file';
  readonly mode: number;
  readonly size: bigint;
  readonly blob: BlobId;
}

/** A link as a snapshot holds it: where it leads, not what is there. */
export interface SavedLink {
  readonly kind: 'link';
  readonly target: HostName;
}

/** A directory as a snapshot holds it. */
export interface SavedDirectory {
  readonly kind: 'directory';
  readonly mode: number;
  readonly entries: ReadonlyMap<HostName, SavedEntry>;
}

/** What a snapshot holds of a name. */
export type SavedEntry = SavedFile | SavedLink | SavedDirectory;

import type { HostName } from './hostName.js';

/** The id that git assigns to a content. Equal ids mean equal contents. */
export type BlobId = string;

/** A file in a snapshot. */
export interface SavedFile {
  readonly kind: 'file';
  readonly mode: number;
  readonly size: bigint;
  readonly blob: BlobId;
}

/** A link in a snapshot: its target path, not the contents of the target. */
export interface SavedLink {
  readonly kind: 'link';
  readonly target: HostName;
}

/** A directory in a snapshot. */
export interface SavedDirectory {
  readonly kind: 'directory';
  readonly mode: number;
  readonly entries: ReadonlyMap<HostName, SavedEntry>;
}

export type SavedEntry = SavedFile | SavedLink | SavedDirectory;

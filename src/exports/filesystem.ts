// Files that tools work on: the port, in memory, and on the host.
export { FilesystemError, type FilesystemErrorKind } from '../error/FilesystemError.js';
export {
  Filesystem,
  type DeleteOptions,
  type EditOptions,
  type EditResult,
  type FileEntry,
  type FileStat,
  type FilesystemSnapshot,
  type GlobOptions,
  type GrepMatch,
  type GrepOptions,
  type MkdirOptions,
  type ReadOptions,
  type ReadResult,
  type WriteMode,
  type WriteOptions,
  type WriteResult,
} from '../interface/Filesystem.js';
export { HostFilesystem, type HostFilesystemOptions } from '../resource/filesystem/HostFilesystem.js';
export type { InMemoryFilesystemOptions } from '../resource/filesystem/fileSize.js';
export { InMemoryFilesystem } from '../resource/filesystem/InMemoryFilesystem.js';

// Resources of tool calls: scopes, bindings, state, files and database transactions.
export {
  DuplicateBindingError,
  ProviderError,
  ResourceBusyError,
  ResourceCloseError,
  ResourceError,
  UnboundResourceError,
} from '../error/infrastructureErrors.js';
export type { OutcomeRecord } from '../interface/OutcomeRecord.js';
export type { ResourceBinding, ResourceLifetime, ResourceScope } from '../interface/ResourceBinding.js';
export type { BindOptions, BoundPrototype, BoundProvider, BoundValue } from '../resource/bind.js';
export type { CallTransactionBinding, CallTransactionOptions } from '../resource/callTransaction.js';
export { copied } from '../resource/state/copied.js';
export { TransactionalTable, type TransactionalTableOptions } from '../resource/state/TransactionalTable.js';
export type { SortedKey } from '../resource/SortedMap.js';
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
export { InMemoryFilesystem, type InMemoryFilesystemOptions } from '../resource/filesystem/InMemoryFilesystem.js';
export { PostgresTransactions, type PostgresTransactionsOptions } from '../resource/postgres/PostgresTransactions.js';
export { Sql } from '../resource/postgres/SqlClient.js';
export type { PreparedStatement, SqlClient, SqlConnection, SqlPool } from '../resource/postgres/SqlClient.js';

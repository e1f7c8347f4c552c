// Ready-made state that is rolled back with a failed call.
export { copied } from '../resource/state/copied.js';
export { TransactionalTable, type TransactionalTableOptions } from '../resource/state/TransactionalTable.js';
export type { SortedKey } from '../resource/SortedMap.js';

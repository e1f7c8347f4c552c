export type { CipherOptions } from '../runs/sql/TextCipher.js';
export { SqliteRuns, type SqliteRunsOptions } from './SqliteRuns.js';

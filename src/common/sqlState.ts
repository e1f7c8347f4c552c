import { isObject } from './guards.js';
import { MAX_SQL_CAUSES } from './limits.js';

/** SQLSTATEs with which a database refuses one of two conflicting transactions, and Prisma's code for both. */
const CONFLICT = /^(?:40001|40P01|P2034)$/;
/** SQLSTATEs with which a database ends a connection, with unknown effect on the transaction. Prisma's codes begin with P1. */
const CUT = /^(?:08|57P|25P03|P1)/;
/** A code of Node for a lost connection can have the form of an SQLSTATE. */
const ANSWER = /^(?!EPIPE$)[0-9A-Z]{5}$/;
/** SQLSTATEs with which a database refuses a row because of a duplicate key or a missing parent. */
const KEY = /^(?:23503|23505)$/;

/** Returns true if the database refused a transaction because of another one. */
export function isConflict(error: unknown): boolean {
  return causesOf(error).some((cause) => CONFLICT.test(readCode(cause)));
}

/** Returns true if the database refused a row because its key exists, or the row that it refers to is missing. */
export function isKeyViolation(error: unknown): boolean {
  return causesOf(error).some((cause) => KEY.test(readCode(cause)));
}

/** Returns true if the database has answered that it did not execute the request. */
export function isRefused(error: unknown): boolean {
  const code = causesOf(error)
    .map(readCode)
    .find((each) => ANSWER.test(each));
  return code !== undefined && !CUT.test(code);
}

export function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  let next = error;
  while (isObject(next) && causes.length < MAX_SQL_CAUSES) {
    causes.push(next);
    next = (next as { readonly cause?: unknown }).cause;
  }
  return causes;
}

function readCode(error: unknown): string {
  const { code, sqlState } = error as { readonly code?: unknown; readonly sqlState?: unknown };
  const state = sqlState ?? code;
  return typeof state === 'string' ? state : '';
}

/** Classes and codes of SQLSTATE for temporary faults: lost connections, shutdowns, too many connections, conflicts. */
const PASSING = /^(?:08|40)|^(?:53300|57P01|57P02|57P03|55P03)$/;
/** Codes of Node for lost or refused connections. */
const LOST = /^(?:ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)$/;
/** Messages of `pg` that come without a code. */
const ENDED =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/** Returns true for an error of a database that may disappear when the same statement runs again. */
export function isTransient(error: unknown): boolean {
  const { code, syscall, message } = (error ?? {}) as Readonly<Record<'code' | 'syscall' | 'message', unknown>>;
  // The socket file of a local server is missing while the server restarts.
  if (code === 'ENOENT') return syscall === 'connect';
  if (typeof code === 'string') return PASSING.test(code) || LOST.test(code);
  return typeof message === 'string' && ENDED.test(message);
}

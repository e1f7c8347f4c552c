import { isObject } from './guards.js';
import { MAX_SQL_CAUSES } from './limits.js';

/** SQLSTATEs with which a database refuses one of two transactions that meet, and Prisma's code for both. */
const CONFLICT = /^(?:40001|40P01|P2034)$/;
/** Those with which it ends a connection, whatever became of the transaction; Prisma's begin with P1. */
const CUT = /^(?:08|57P|25P03|P1)/;
/** A code of Node, for a connection that was lost, has the form of an SQLSTATE. */
const ANSWER = /^(?!EPIPE$)[0-9A-Z]{5}$/;
/** Those with which it refuses a row whose key is taken, or whose parent is missing. */
const KEY = /^(?:23503|23505)$/;

/** True if the database refused a transaction because of another one. */
export function isConflict(error: unknown): boolean {
  return causesOf(error).some((cause) => CONFLICT.test(codeOf(cause)));
}

/** True if the database refused a row because its key is taken, or the row that it refers to is missing. */
export function isKeyViolation(error: unknown): boolean {
  return causesOf(error).some((cause) => KEY.test(codeOf(cause)));
}

/** True if the database has answered, and that it did not do what it was asked for. */
export function isRefused(error: unknown): boolean {
  const code = causesOf(error)
    .map(codeOf)
    .find((each) => ANSWER.test(each));
  return code !== undefined && !CUT.test(code);
}

/** Returns an error and what has caused it, in this order. */
export function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  let next = error;
  while (isObject(next) && causes.length < MAX_SQL_CAUSES) {
    causes.push(next);
    next = (next as { readonly cause?: unknown }).cause;
  }
  return causes;
}

function codeOf(error: unknown): string {
  const { code, sqlState } = error as { readonly code?: unknown; readonly sqlState?: unknown };
  const state = sqlState ?? code;
  return typeof state === 'string' ? state : '';
}

/** Classes and codes of SQLSTATE that pass: lost connections, shutdowns, too many connections, conflicts with others. */
const PASSING = /^(?:08|40)|^(?:53300|57P01|57P02|57P03|55P03)$/;
/** Codes of Node for connections that were lost or refused. */
const LOST = /^(?:ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)$/;
/** What `pg` says without a code. */
const ENDED =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/** True for an error of a database that may be gone when the same statement runs again. */
export function isTransient(error: unknown): boolean {
  const { code, syscall, message } = fieldsOf(error);
  // The socket of a local server is no file while it starts again.
  if (code === 'ENOENT') return syscall === 'connect';
  if (typeof code === 'string') return PASSING.test(code) || LOST.test(code);
  return typeof message === 'string' && ENDED.test(message);
}

function fieldsOf(error: unknown): Readonly<Record<'code' | 'syscall' | 'message', unknown>> {
  return (error ?? {}) as Readonly<Record<'code' | 'syscall' | 'message', unknown>>;
}

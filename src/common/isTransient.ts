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

import { errnoOf, isErrno, isRace } from './errno.js';
import { hostRefusals } from './hostRefusals.js';

/** Converts an error of the host to the one that is thrown to the caller; any other error is returned unchanged. */
export function asRefusal(error: unknown, method: string, path: string): unknown {
  const code = errnoOf(error);
  if (code === undefined) return error;
  if (isErrno(error, 'EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG')) return hostRefusals.denied(path, code);
  return isRace(error) ? hostRefusals.moved(path) : hostRefusals.failed(method, error);
}

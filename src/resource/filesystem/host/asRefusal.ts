import { errnoOf, isErrno, isRace } from './errno.js';
import { hostRefusals } from './hostRefusals.js';

/** What the caller is told for an error of the host; any other error is told as it is. */
export function asRefusal(error: unknown, method: string, path: string): unknown {
  const code = errnoOf(error);
  if (code === undefined) return error;
  if (isErrno(error, 'EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG')) return hostRefusals.denied(path, code);
  return isRace(error) ? hostRefusals.moved(path) : hostRefusals.failed(method, error);
}

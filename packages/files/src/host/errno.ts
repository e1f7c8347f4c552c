/** Checks for an error of the host with one of the codes, such as `ENOENT`. */
export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  const code = errnoOf(error);
  return code !== undefined && codes.includes(code);
}

/** Returns the code of an error of the host; undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' && typeof syscall === 'string' ? code : undefined;
}

/** Checks for an error that suggests that names were changed concurrently. */
export function isRace(error: unknown): boolean {
  return isErrno(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP', 'EINVAL', 'EXDEV');
}

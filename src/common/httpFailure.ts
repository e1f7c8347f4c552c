/** An HTTP exception of Nest; recognised by its methods, since several copies of Nest may be loaded. */
export interface HttpFailure extends Error {
  getStatus(): number;
  getResponse(): unknown;
}

/** True for an HTTP exception; never throws, not even for a revoked proxy. */
export function isHttpFailure(value: unknown): value is HttpFailure {
  try {
    if (!(value instanceof Error)) return false;
    const { getStatus, getResponse } = value as Partial<HttpFailure>;
    return typeof getStatus === 'function' && typeof getResponse === 'function';
  } catch {
    return false;
  }
}

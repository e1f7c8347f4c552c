import { createPlacedError } from './ToolwrightError.js';

/**
 * Loads an optional package.
 *
 * @param place the function or option that needs it
 * @throws ToolwrightError E415 if it, or a package that it imports, is not installed; other errors of the import, unchanged
 */
export async function loadPeer<T>(place: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const missing = findMissingPackage(cause);
    if (missing === undefined) throw cause;
    const remedy = `npm install ${missing}`;
    throw createPlacedError(`${missing} is not installed`, { code: 'E415', place, remedy, cause });
  }
}

/** Returns the package that Node did not find, which may be a dependency of the wanted one; undefined for any other error. */
export function findMissingPackage(error: unknown): string | undefined {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') return undefined;
  return /'((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^']*)?'/.exec(message ?? '')?.[1];
}

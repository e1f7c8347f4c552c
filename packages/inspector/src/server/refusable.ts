import { InspectorError } from './InspectorError.js';

/** What is thrown at what the page asks for becomes an answer that it shows. @throws InspectorError 422 */
export async function refusable<T>(work: (() => Promise<T>) | Promise<T>): Promise<T> {
  try {
    return await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (InspectorError.is(error)) throw error;
    throw new InspectorError(422, error instanceof Error ? error.message : 'it failed with no reason');
  }
}

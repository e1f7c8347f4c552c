/** What the function throws; its specs look closer at it than `toThrow` does. */
export function thrownBy(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

/** What the promise is rejected with. */
export async function rejectionOf(promise: PromiseLike<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('the promise was not rejected');
}

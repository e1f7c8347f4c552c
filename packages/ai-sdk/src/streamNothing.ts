/** An answer in one piece: nothing of it is shown before its end. */
export async function* streamNothing(result: Promise<unknown>): AsyncGenerator<never, unknown> {
  return result;
}

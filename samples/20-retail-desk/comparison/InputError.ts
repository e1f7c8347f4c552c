/** An option or a file that the comparer cannot use; the message is for the person who typed the command. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

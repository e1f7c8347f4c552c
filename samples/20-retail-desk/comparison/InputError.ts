/** An option or a file that the comparer cannot use; the message is for the user of the command line. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

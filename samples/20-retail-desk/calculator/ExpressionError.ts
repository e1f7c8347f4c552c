/** An expression that cannot be evaluated; the message says what is wrong with it. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

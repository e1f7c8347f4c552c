/** An expression that cannot be evaluated; the message explains why. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

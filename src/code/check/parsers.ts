import type * as acorn from 'acorn';
import type * as sucrase from 'sucrase';

/** The libraries that read programs. */
export interface Parsers {
  /** acorn's parser, which takes every text for strict code. */
  readonly Strict: Pick<typeof acorn.Parser, 'parse' | 'parseExpressionAt' | 'tokenizer'>;
  readonly sucrase: Pick<typeof sucrase, 'transform' | 'getFormattedTokens'>;
}

/** Prepares the libraries; both are optional peers, and only a program needs them. */
export function parsersOf(
  { Parser }: Pick<typeof acorn, 'Parser'>,
  { transform, getFormattedTokens }: Parsers['sucrase'],
): Parsers {
  return { Strict: Parser.extend(strict), sucrase: { transform, getFormattedTokens } };
}

/** Scripts are sloppy without a directive, and a directive in front of a program would move its places. */
function strict(Base: typeof acorn.Parser): typeof acorn.Parser {
  return class extends Base {
    strict = true;
  };
}

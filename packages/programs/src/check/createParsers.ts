import type * as acorn from 'acorn';
import type * as sucrase from 'sucrase';

/** The libraries that read programs. */
export interface Parsers {
  /** acorn's parser, set to treat all code as strict. */
  readonly Strict: Pick<typeof acorn.Parser, 'parse' | 'parseExpressionAt' | 'tokenizer'>;
  readonly sucrase: Pick<typeof sucrase, 'transform' | 'getFormattedTokens'>;
}

/** Prepares the libraries; both are optional peer dependencies that only programs need. */
export function createParsers(
  { Parser }: Pick<typeof acorn, 'Parser'>,
  { transform, getFormattedTokens }: Parsers['sucrase'],
): Parsers {
  return { Strict: Parser.extend(makeStrict), sucrase: { transform, getFormattedTokens } };
}

/** Makes scripts strict without a directive, which would move the places of the program. */
function makeStrict(Base: typeof acorn.Parser): typeof acorn.Parser {
  return class extends Base {
    strict = true;
  };
}

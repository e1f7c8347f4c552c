import { ExpressionError } from './ExpressionError.js';
import type { Numeric } from './arithmetic.js';

export type Operator = '+' | '-' | '*' | '/' | '//' | '**';

export type Token =
  | { readonly kind: 'number'; readonly value: Numeric; readonly at: number }
  | { readonly kind: 'operator'; readonly operator: Operator; readonly at: number }
  | { readonly kind: 'open' | 'close'; readonly at: number };

const pattern = / +|(?<float>\d+\.\d*|\.\d+)|(?<integer>\d+)|(?<operator>\*\*|\/\/|[-+*/])|(?<open>\()|(?<close>\))/y;

export function tokenize(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  while (pattern.lastIndex < expression.length) {
    const at = pattern.lastIndex;
    const groups = pattern.exec(expression)?.groups;
    if (groups === undefined) {
      throw new ExpressionError(
        `unexpected "${expression.charAt(at)}" at position ${at + 1}; only digits, + - * / ( ) . and spaces are allowed`,
      );
    }
    const token = tokenOf(groups, at);
    if (token !== undefined) tokens.push(token);
  }
  return tokens;
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>, at: number): Token | undefined {
  if (groups['float'] !== undefined) return { kind: 'number', value: Number(groups['float']), at };
  if (groups['integer'] !== undefined) return { kind: 'number', value: integer(groups['integer'], at), at };
  if (groups['operator'] !== undefined) return { kind: 'operator', operator: groups['operator'] as Operator, at };
  if (groups['open'] !== undefined) return { kind: 'open', at };
  if (groups['close'] !== undefined) return { kind: 'close', at };
  return undefined;
}

function integer(digits: string, at: number): bigint {
  // As in Python: 007 once meant octal, so it is refused rather than read as 7. Only zeros are harmless.
  if (/^0+[1-9]/.test(digits)) {
    throw new ExpressionError(`the whole number ${digits} at position ${at + 1} must not begin with 0`);
  }
  return BigInt(digits);
}

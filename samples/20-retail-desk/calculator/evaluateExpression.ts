import { add, divide, floorDivide, multiply, negate, power, subtract, toFloat, type Numeric } from './arithmetic.js';
import { ExpressionError } from './ExpressionError.js';
import { tokenize, type Operator, type Token } from './tokenize.js';

// Recursion needs a limit: the expression comes from a model, and must not overflow the stack.
const maxDepth = 200;
const maxLength = 10_000;

type Operation = (a: Numeric, b: Numeric) => Numeric;
type OperationTable = Readonly<Partial<Record<Operator, Operation>>>;

const sums: OperationTable = { '+': add, '-': subtract };
const products: OperationTable = { '*': multiply, '/': divide, '//': floorDivide };

/** Evaluates arithmetic by the rules of Python, and never as code. */
export function evaluateExpression(expression: string): number {
  if (expression.length > maxLength) throw new ExpressionError(`it is longer than ${maxLength} characters`);
  const result = toFloat(new Evaluator(tokenize(expression)).evaluate());
  if (!Number.isFinite(result)) throw new ExpressionError('the result is too large');
  return result;
}

/** Recursive descent, one method for each level of precedence, loosest first. */
class Evaluator {
  private position = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  evaluate(): Numeric {
    const value = this.parseSum();
    const rest = this.tokens[this.position];
    if (rest !== undefined) throw new ExpressionError(`an operator is missing before position ${rest.at + 1}`);
    return value;
  }

  private parseSum(): Numeric {
    return this.parseLeftAssociative(sums, () => this.parseProduct());
  }

  private parseProduct(): Numeric {
    return this.parseLeftAssociative(products, () => this.parseSigned());
  }

  private parseLeftAssociative(operations: OperationTable, operand: () => Numeric): Numeric {
    let value = operand();
    for (;;) {
      const operation = this.takeOperation(operations);
      if (operation === undefined) return value;
      value = operation(value, operand());
    }
  }

  // A sign binds looser than the power to its right: -2 ** 2 is -4.
  private parseSigned(): Numeric {
    let negative = false;
    for (let sign = this.takeSign(); sign !== undefined; sign = this.takeSign()) negative = negative !== (sign === '-');
    const value = this.parsePower();
    return negative ? negate(value) : value;
  }

  // The exponent is parsed as a signed value again, which makes ** associate to the right: 2 ** 3 ** 2 is 512.
  private parsePower(): Numeric {
    const base = this.parseAtom();
    const token = this.tokens[this.position];
    if (token?.kind !== 'operator' || token.operator !== '**') return base;
    this.position += 1;
    return power(
      base,
      this.parseNested(() => this.parseSigned()),
    );
  }

  private parseAtom(): Numeric {
    const token = this.tokens[this.position];
    this.position += 1;
    if (token?.kind === 'number') return token.value;
    if (token?.kind !== 'open') {
      throw new ExpressionError(
        token === undefined ? 'it ends too early' : `a number is missing at position ${token.at + 1}`,
      );
    }
    const value = this.parseNested(() => this.parseSum());
    if (this.tokens[this.position]?.kind !== 'close') {
      throw new ExpressionError(`the parenthesis at position ${token.at + 1} is not closed`);
    }
    this.position += 1;
    return value;
  }

  private parseNested(parse: () => Numeric): Numeric {
    this.depth += 1;
    if (this.depth > maxDepth) throw new ExpressionError(`it is nested deeper than ${maxDepth} levels`);
    const value = parse();
    this.depth -= 1;
    return value;
  }

  private takeOperation(operations: OperationTable): Operation | undefined {
    const token = this.tokens[this.position];
    const operation = token?.kind === 'operator' ? operations[token.operator] : undefined;
    if (operation !== undefined) this.position += 1;
    return operation;
  }

  private takeSign(): '+' | '-' | undefined {
    const token = this.tokens[this.position];
    if (token?.kind !== 'operator' || (token.operator !== '+' && token.operator !== '-')) return undefined;
    this.position += 1;
    return token.operator;
  }
}

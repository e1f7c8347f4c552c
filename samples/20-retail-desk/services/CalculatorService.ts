import { Service } from 'typedi';
import { evaluateExpression } from '../calculator/evaluateExpression.js';
import { MoneyService } from './MoneyService.js';

@Service()
export class CalculatorService {
  constructor(private readonly money: MoneyService) {}

  /** Returns the value rounded to two places. Throws ExpressionError if the text is not an arithmetic expression. */
  evaluate(expression: string): number {
    return this.money.round(evaluateExpression(expression));
  }
}

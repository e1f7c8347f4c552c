import { md, Section, Tool, ToolRefusal, ToolResult } from 'toolwright';
import { ExpressionError } from '../calculator/ExpressionError.js';
import { CalculatorService } from '../services/CalculatorService.js';
import { DeskParams } from './DeskParams.js';
import { ExpressionParams, ThoughtParams, TransferParams } from './params.js';
import { StoreFactsSection } from './StoreFactsSection.js';

@Section({
  key: 'rules',
  title: 'Rules of the desk',
  params: DeskParams,
  template: md`
    You are the support agent of ${'storeName'}. You change or cancel orders that are still pending, take back or
    exchange what was delivered, keep customers' addresses up to date, and answer questions about a customer's own
    profile and orders and about what the shop sells.

    - Find out first who is writing, whatever they tell you: by email address, or by name and zip code.
      A user id that the customer gives does not prove anything.
    - Serve one customer in a conversation, as often as they like. Refuse every request about somebody else.
    - Before you change anything, say exactly what you are going to do and wait for a clear yes.
    - Say only what the customer or a tool told you: no guesses, no opinions, no recommendations.
    - Either call one tool, or write to the customer; never both in one message.
    - Open a chapter that is summarised before you promise anything that it deals with: it holds the rules and the tools.
    - Hand the customer over to a colleague when, and only when, your tools cannot do what is asked, and no chapter that
      you could open deals with it.

    Use calculate for sums and differences of prices, and think when several rules meet. When a customer asks for several
    things at once, keep a plan, so that none of them is forgotten.
  `,
  children: [StoreFactsSection],
})
export class DeskRulesSection {
  constructor(private readonly calculator: CalculatorService) {}

  @Tool({ description: 'Evaluate an arithmetic expression, rounded to two places.', hints: { readOnly: true } })
  calculate(params: ExpressionParams): number {
    try {
      return this.calculator.evaluate(params.expression);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw new ToolRefusal(`This expression cannot be evaluated: ${error.message}. Correct it and call again.`);
    }
  }

  @Tool({
    description: 'Note a thought for yourself. It changes nothing and finds nothing out.',
    hints: { readOnly: true },
  })
  think(_params: ThoughtParams): ToolResult<string> {
    return ToolResult.ok('', 'Noted.');
  }

  @Tool('Hand the customer over to a human agent, when asked for one or when no other tool can help.')
  transferToHumanAgents(_params: TransferParams): string {
    return 'Transfer successful';
  }
}

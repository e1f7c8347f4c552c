import { join } from 'node:path';
import { compileTexts } from '../support/compileTexts.js';
import { DECLARATIONS, optionsOf } from '../support/optionsPage.js';

jest.setTimeout(60_000);
const file = join(__dirname, 'compiledExamples.ts');

/** The names that examples use besides those of the language. */
const HEAD = `
  import OpenAI from 'openai';
  import { Container } from 'typedi';
  import {
    bind, Budget, Deadline, Param, Prompt, Section, Session, Tool,
    type ApplicationOptions, type EvaluateOptions, type Limits, type Message, type ParamOptions, type PromptOptions,
    type RunEvent, type SearchOptions, type SectionOptions, type ToolHints, type ToolOptions,
  } from 'toolwright';
  import { fromTypedi } from 'toolwright/adapters';
  import { Conversation } from 'toolwright/conversations';
  import { InProcessEventBus } from 'toolwright/events';
  import { FileOverridesStore } from 'toolwright/overrides';
  import { DeadlineFeedback, RateLimitPolicy, type GuardrailOptions } from 'toolwright/policies';
  import { TransactionalTable } from 'toolwright/resources';
  import { PlanCompleteChecker } from 'toolwright/sections';
  import { FakeClock } from 'toolwright/testing';
  import type { ToolRetry } from 'toolwright/types';
  import type { RunsOptions } from '@toolwright/durable';
  import { SqliteRuns } from '@toolwright/durable/sqlite';
  import type { ToolwrightModuleOptions } from '@toolwright/nestjs';
  import { OpenAIChatAdapter } from '@toolwright/openai';
  import { gptTokens } from '@toolwright/openai/tokens';
  import { openTelemetry } from '@toolwright/opentelemetry';
  import { programs } from '@toolwright/programs';

  class OrderParams { @Param('Number of the order') orderId!: string; }
  class Order { @Param('Total in dollars') total!: number; }
  class Card { @Param('Last four digits') digits!: string; }
  class BankTransfer { @Param('Account') iban!: string; }
  class Verdict { @Param('Whether the order is refunded') refunded!: boolean; }
  class Visitor { @Param('Name') name!: string; @Param('Member of the staff') isStaff!: boolean; }
  class Orders extends TransactionalTable<string, Order> {}
  class StockError extends Error {}
  @Tool('Cancel an order.')
  class CancelOrder { handle(params: OrderParams): string { return params.orderId; } }
  @Section({ title: 'Orders', tools: [CancelOrder] })
  class OrdersSection {}
  @Section({ title: 'Refunds' })
  class RefundsSection {}
  @Prompt({ ns: 'shop', key: 'support-desk', sections: [OrdersSection, RefundsSection] })
  class SupportDesk {}
  const orders = new Orders();
  const events: RunEvent[] = [];
  declare const secrets: { readonly current: string; readonly previous: string };
  declare const users: { requestOf(userId: string | undefined): Promise<object> };
  declare const prepare: RunsOptions['prepare'];
  declare function nextId(): string;
  declare function embedAll(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
  declare function summarise(messages: readonly Message[]): Promise<string>;
`;

/** The type that an example is written for, where the declaration alone leaves the type of params open. */
const TYPES: Readonly<Record<string, string>> = {
  ToolOptions: 'ToolOptions<OrderParams>',
  SectionOptions: 'SectionOptions<Visitor>',
  ExecutionLimits: 'ToolOptions',
};

const examples = DECLARATIONS.flatMap(([heading, declaration]) =>
  optionsOf(declaration)
    .filter(({ declaredBy }) => declaredBy === declaration || !DECLARATIONS.some(([, name]) => name === declaredBy))
    .map(({ name, example = '' }) => ({ option: `${name} of ${heading}`, declaration, name, example })),
);

/** Says for each example why it does not compile; empty if it does. */
function compileExamples(): readonly string[] {
  const lines = examples.map(({ declaration, name, example }, index) => {
    const type = `Pick<${TYPES[declaration] ?? declaration}, '${name}'>`;
    return `export const example${String(index)}: ${type} = { ${example} };`;
  });
  const text = [HEAD, ...lines].join('\n');
  const first = HEAD.split('\n').length;
  const faults = lines.map(() => '');
  for (const { problem, line } of compileTexts(new Map([[file, text]]))(file)) {
    if (line < first) throw new Error(`Line ${String(line)} before the examples: ${problem}`);
    faults[line - first] = problem;
  }
  return faults;
}

const faults = compileExamples();

test('the page of options has an example of every option', () => {
  expect(examples.length).toBeGreaterThan(100);
  expect(examples.filter(({ example }) => example === '')).toEqual([]);
});

test.each(examples.map((each, index) => ({ ...each, index })))(
  'the example of $option compiles and sets this option: $example',
  ({ name, example, index }) => {
    expect(example).toMatch(new RegExp(`^${name}: `));
    expect(faults[index]).toBe('');
  },
);

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_LISTED_TOKENS } from '../../src/common/limits';
import type { ToolSchema } from '../../src/interface/ModelAdapter';
import { approximateTokens } from '../../src/limit/approximateTokens';
import { createBridgeTool } from '../../src/provider/bridgeTool';
import { planTools } from '../../src/provider/planTools';

/*
 * What closed tools cost in a conversation, in tokens of input at full price (docs/decisions/0043). Costs that are the same
 * both ways are left out.
 */
const REQUESTS = 30;
/** The price of a token of input that the provider reads from its cache, and of a token of output. */
const CACHED = 0.1;
const OUTPUT = 5;
/** The request in which sections are opened, and the share of the closed tools in them. */
const OPENED_AT = 5;
const OPENED_SHARE = 0.25;
/** The calls of opened tools, and of these, those that fail because they are made in a roundabout way. */
const CALLS = 10;
const FAILED_SHARE = 0.05;
/** A request more: what is read from the cache, what is new, and what the model writes. */
const ANOTHER_REQUEST = 8_000 * CACHED + 200 + 80 * OUTPUT;

const tool: ToolSchema = {
  name: 'refund_order',
  description: 'Refunds an order, in whole or in part. Only orders of the last thirty days can be refunded.',
  parameters: {
    type: 'object',
    properties: {
      order_id: { type: 'string', description: 'The id of the order, e.g. W0000001.' },
      amount: { type: 'number', description: 'How much to refund; the whole price when left out.', minimum: 0 },
      reason: { type: 'string', description: 'Why.', enum: ['damaged', 'late', 'wrong', 'other'] },
    },
    required: ['order_id', 'reason'],
  },
  strict: false,
};
const tokens = ({ name, description, parameters }: ToolSchema): number =>
  approximateTokens(JSON.stringify({ name, description, parameters }));

/** A token that is new in one request, and in the cache in all later ones. */
const keptFrom = (request: number): number => 1 + CACHED * (REQUESTS - request);
const wrapper = approximateTokens('{"tool":"refund_order","arguments":}');
const bridgeAlone =
  tokens(createBridgeTool('use_tool', 'openai')) * keptFrom(1) +
  CALLS * (wrapper * (OUTPUT + CACHED * (REQUESTS / 2)) + FAILED_SHARE * ANOTHER_REQUEST);

const listed = (closed: number): number => closed * keptFrom(1);
const bridged = (closed: number): number => bridgeAlone + OPENED_SHARE * closed * keptFrom(OPENED_AT);

describe('closed tools with a provider that cannot add any', () => {
  test('cost as much listed as through a bridge where the limit is', () => {
    const crossing = bridgeAlone / (keptFrom(1) - OPENED_SHARE * keptFrom(OPENED_AT));
    expect(Math.round(crossing / 100) * 100).toBe(MAX_LISTED_TOKENS);
  });

  test('cost what the decision says', () => {
    const page = readFileSync(join(__dirname, '../../docs/decisions/0043-closed-tools-without-means.md'), 'utf8');
    const figure = (value: number): string => Math.round(value).toLocaleString('en');
    const rows = [2, 4, 8, 16, 32, 64].map((count) => {
      const closed = count * tokens(tool);
      return `| ${[count, ...[closed, listed(closed), bridged(closed)].map(figure)].join(' | ')} |`;
    });
    expect(page.split('\n').filter((line) => /^\| \d/.test(line))).toEqual(rows);
  });

  test('closed tools with a provider that cannot add any are listed up to the limit, and reached through a bridge beyond it', () => {
    const planned = (count: number) =>
      planTools(
        {
          messages: [],
          toolSchemas: () => [],
          closedTools: () => Array.from({ length: count }, (_, index) => ({ ...tool, name: `tool_${String(index)}` })),
          signal: new AbortController().signal,
        },
        'openai',
      ).bridge;
    const most = Math.floor(MAX_LISTED_TOKENS / tokens({ ...tool, name: 'tool_0' }));
    expect(planned(most)).toBeUndefined();
    expect(planned(most + 1)).toBe('use_tool');
  });
});

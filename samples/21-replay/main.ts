// A run is written to a file and replayed from it; the first difference is named.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Constructor,
  createApplication,
  type ModelAdapter,
  Param,
  Prompt,
  type PromptResponse,
  readTranscript,
  Section,
  Tool,
  ToolResult,
  writeTranscript,
} from 'toolwright';
import { ReplayDivergenceError, ReplayModel, ScriptedModel } from 'toolwright/testing';

class OrderParams {
  @Param('Order id, such as #1042')
  orderId!: string;
}

@Section({ title: 'Orders', template: 'Look an order up before you answer questions about it.' })
class OrdersSection {
  @Tool({ description: 'Where an order is.', hints: { readOnly: true } })
  findOrder({ orderId }: OrderParams): string {
    return `Order ${orderId} arrived on Tuesday.`;
  }
}

const refunds = {
  key: 'refunds',
  title: 'Refunds',
  visibility: 'summary',
  summary: 'Giving money back for what came broken. Open it as soon as a customer wants that.',
  template: 'Refund what came broken within 30 days.',
} as const;

@Section(refunds)
class RefundsSection {
  @Tool('Give back what was paid for an order.')
  refundOrder({ orderId }: OrderParams): ToolResult<string> {
    return ToolResult.ok('34.90 USD', `Refunded ${orderId}.`);
  }
}

@Prompt({ ns: 'samples', key: 'desk', sections: [OrdersSection, RefundsSection] })
class Desk {}

// The next release: the same prompt, and a tool with a differently phrased answer.
@Section(refunds)
class NextRefundsSection extends RefundsSection {
  override refundOrder({ orderId }: OrderParams): ToolResult<string> {
    return ToolResult.ok('34.90 USD', `Refunded ${orderId} to the card.`);
  }
}

@Prompt({ ns: 'samples', key: 'desk', sections: [OrdersSection, NextRefundsSection] })
class NextDesk {}

async function run(desk: Constructor, adapter: ModelAdapter): Promise<PromptResponse> {
  const app = await createApplication({ prompts: [desk], fieldNames: 'snake_case' });
  return app.evaluate(app.prompt(desk), {
    adapter,
    messages: [{ role: 'user', content: 'The lamp of order #1042 is broken. I want my money back.' }],
  });
}

// In practice this is a real model; here it is a script.
const model = new ScriptedModel([
  { toolCalls: [{ name: 'find_order', arguments: { order_id: '#1042' } }] },
  { toolCalls: [{ name: 'open_sections', arguments: { section_keys: ['refunds'], reason: 'A refund is wanted.' } }] },
  { toolCalls: [{ name: 'refund_order', arguments: { order_id: '#1042' } }] },
  { text: 'You get 34.90 USD back.' },
]);

async function main(): Promise<void> {
  // It is in the repository, next to the code that it was recorded with.
  const file = join(__dirname, '../../../samples/21-replay/refund.jsonl');

  if (process.argv.includes('--record')) {
    const { transcript } = await run(Desk, model);
    writeFileSync(file, writeTranscript(transcript));
  }

  console.log('--- The record, played again: no model is asked ---');
  const transcript = readTranscript(readFileSync(file, 'utf8'));
  const replay = new ReplayModel(transcript);
  const { text, turns } = await run(Desk, replay);
  replay.assertEnded();
  console.log(`${String(turns)} requests, ${String(transcript.length)} messages: ${text ?? ''}`);
  assert.equal(text, 'You get 34.90 USD back.');

  console.log('\n--- After a release in which a tool answers in other words ---');
  const differs: unknown = await run(NextDesk, new ReplayModel(transcript)).catch((error: unknown) => error);
  assert.ok(differs instanceof ReplayDivergenceError);
  console.log(differs.message);
  assert.equal(differs.code, 'E707');
  assert.equal(differs.index, 7);
  assert.match(differs.message, /message 8, the answer of "refund_order": content differs from character 15 on/);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

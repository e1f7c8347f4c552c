import 'reflect-metadata';
import { runScripted } from '../../../samples/20-retail-desk/demo/runScripted.js';
import { runWithModel } from '../../../samples/20-retail-desk/demo/runWithModel.js';
import { Terminal } from '../../../samples/20-retail-desk/demo/Terminal.js';
import { ScriptedModel } from 'toolwright/testing';

async function play(colours: boolean, seed?: number): Promise<{ holds: boolean; lines: readonly string[] }> {
  const lines: string[] = [];
  const holds = await runScripted(new Terminal((line) => lines.push(line), colours), seed);
  return { holds, lines };
}

/** The first run of the demonstration without colours, for all tests that only read its lines. */
let plain: ReturnType<typeof play> | undefined;
const playOnce = (): ReturnType<typeof play> => (plain ??= play(false));

describe('the scripted demonstration', () => {
  test('the scripted demonstration asserts its own outcome and fits a terminal of 80 columns', async () => {
    const { holds, lines } = await playOnce();
    expect(lines.filter((line) => line.includes('WRONG'))).toEqual([]);
    const checks = lines.slice(lines.findIndex((line) => line.includes('What has to hold')));
    expect(checks.filter((line) => line.startsWith('  ok'))).toHaveLength(12);
    expect(holds).toBe(true);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(80);
  });

  test('the scripted demonstration says that no model answers, and shows the calls that failed or were denied, and that they left nothing', async () => {
    const text = (await playOnce()).lines.join('\n');
    expect(text).toContain('No model answers here');
    expect(text.match(/FAILED/g)).toHaveLength(2);
    expect(text.match(/DENIED/g)).toHaveLength(1);
    expect(text.match(/not one record differs/g)).toHaveLength(3);
    expect(text).toContain('status: "delivered" -> "exchange requested"');
  });

  test('the scripted demonstration shows which chapters were opened, and the tools that came with them', async () => {
    const { lines } = await playOnce();
    const openings = lines.filter((line) => line.startsWith('  opened'));
    expect(openings.map((line) => line.slice(10).split(':', 1)[0])).toEqual([
      'orders.delivered, catalogue',
      'orders.delivered',
      'catalogue',
    ]);
    const [first] = openings as [string];
    const after = lines
      .slice(lines.indexOf(first), lines.indexOf(first) + 5)
      .join(' ')
      .replace(/\s+/g, ' ');
    expect(after).toContain('list_all_product_types, get_product_details, return_delivered_order_items');
  });

  test('the scripted demonstration is the same every time', async () => {
    expect((await play(false)).lines).toEqual((await playOnce()).lines);
  });

  test('the scripted demonstration works with other generated shops', async () => {
    for (const seed of [1, 2, 3]) expect((await play(false, seed)).holds).toBe(true);
  });

  test('the demonstration has colours only when asked to', async () => {
    const escape = String.fromCharCode(27);
    expect((await playOnce()).lines.join('')).not.toContain(escape);
    const { lines } = await play(true);
    expect(lines.join('')).toContain(escape);
  });
});

describe('the demonstration with a model', () => {
  test('the demonstration with a model puts every request to the model in one conversation', async () => {
    const lines: string[] = [];
    const model = new ScriptedModel([
      { toolCalls: [{ name: 'find_user_id_by_email', arguments: { email: 'nobody@example.com' } }] },
      { text: 'Who are you?' },
      ({ messages }) => ({ text: `You wrote ${messages.filter(({ role }) => role === 'user').length} messages.` }),
    ]);
    await runWithModel(new Terminal((line) => lines.push(line), false), model, ['What do you sell?', 'Thanks.']);
    expect(lines.join('\n')).toContain('You wrote 2 messages.');
    expect(model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });

  test('the demonstration with a model asks for something by itself when nothing was asked', async () => {
    const model = new ScriptedModel([{ text: 'Shall I?' }, { text: 'Done.' }]);
    await runWithModel(new Terminal(() => undefined, false), model, []);
    expect(model.requests[0]?.messages[1]?.content).toMatch(/exchange it for/);
  });
});

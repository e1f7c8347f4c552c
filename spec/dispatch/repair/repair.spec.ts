import { Transform } from 'class-transformer';
import { createApplication, defineTool, Param, type ToolContext } from 'toolwright';
import type { Approver } from 'toolwright/policies';
import { RejectedToolParams } from 'toolwright/events';
import { ValueRepair } from '../../../src/schema/repair/ValueRepair';
import { deskOf, UNTOUCHED } from '../desk';
import { repairDesk } from './tools';

class Login {
  @Param({ description: 'Key', secret: true }) key!: string;
  @Param({ description: 'Times', integer: true }) times!: number;
}

describe('the option repair', () => {
  test('CALL-08 repair is off by default: arguments are refused as ever, without a word on repairs', async () => {
    for (const options of [{}, { repair: 'off' } as const]) {
      const desk = await repairDesk(options);
      const outcome = await desk.call('order', { sku: 'A1', qty: '2' });
      expect(outcome.text).toBe(
        'The arguments of order were not accepted:\n- qty: expected a whole number, got the string "2"\nNothing was done. Call it again with corrected arguments.',
      );
      expect(desk.events[0]?.repairs).toBeUndefined();
    }
  });

  test('CALL-08 on: the call runs, the model reads one line, the event has the repairs, and the result is untouched', async () => {
    const desk = await repairDesk({ repair: 'on' });
    const outcome = await desk.call('basket', '```json\n{"lines":{"sku":"A1","qty":"1",}}\n```');
    expect(desk.given).toEqual([{ lines: [{ sku: 'A1', qty: 1 }] }]);
    expect(outcome).toMatchObject({ kind: 'succeeded', result: { value: 'Done.', message: '' } });
    expect(outcome.text).toBe(
      'Done.\n\n[The arguments were not quite right, and were read as they were meant: a code fence around the JSON; ' +
        'a comma after the last entry; lines: a single value in place of a list; lines[0].qty: a number written as a string. ' +
        'Send them as the schema says.]',
    );
    expect(desk.events).toHaveLength(1);
    expect(desk.events[0]).toMatchObject({ toolMessage: outcome.text, params: { lines: [{ sku: 'A1', qty: 1 }] } });
    expect(desk.events[0]?.repairs).toEqual([
      { path: '', kind: 'code-fence' },
      { path: '', kind: 'trailing-comma' },
      { path: 'lines', kind: 'single-value' },
      { path: 'lines[0].qty', kind: 'number-text' },
    ]);
  });

  test('CALL-08 report: nothing runs; the model reads what is wrong, and the arguments that are right', async () => {
    const desk = await repairDesk({ repair: 'report' });
    const outcome = await desk.call('order', { sku: 'A1', qty: '2', tags: 'red' });
    expect(outcome.kind).toBe('rejected');
    expect(outcome.text).toBe(
      'The arguments of order were not accepted:\n- qty: expected a whole number, got the string "2"\n- tags: expected an array, got the string "red"\n' +
        'Nothing was done. Call it again with corrected arguments.\n' +
        'They would be right but for this: qty: a number written as a string; tags: a single value in place of a list. Corrected:\n' +
        '{"sku":"A1","qty":2,"tags":["red"]}',
    );
    expect(desk.given).toEqual([]);
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.events[0]?.params).toBeInstanceOf(RejectedToolParams);
    expect(desk.events[0]?.repairs).toMatchObject([{ kind: 'number-text' }, { kind: 'single-value' }]);
  });

  test('CALL-08 right arguments, and the calls of handlers, are not looked at', async () => {
    const walk = jest.spyOn(ValueRepair.prototype, 'repairValue');
    const desk = await repairDesk({ repair: 'on' });
    await desk.call('order', '{"sku":"A1","qty":2}');
    expect(walk).not.toHaveBeenCalled();
    const outer = defineTool({
      name: 'outer',
      description: 'Calls.',
      handler: async (_params: unknown, context: ToolContext) =>
        (await context.callTool({ id: '1', name: 'inner', arguments: { key: 'k', times: '2' } })).kind,
    });
    const inner = defineTool({ name: 'inner', description: 'Is called.', params: Login, handler: () => 1 });
    const { call } = await deskOf([outer, inner], { repair: 'on' });
    expect((await call('outer')).text).toBe('rejected');
    expect(walk).not.toHaveBeenCalled();
    walk.mockRestore();
  });

  test('CALL-08 an approver sees the arguments that were meant', async () => {
    const seen: unknown[] = [];
    const approver: Approver = { approve: ({ params }) => (seen.push(params), { kind: 'approved' }) };
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      params: Login,
      requiresApproval: true,
      handler: ({ times }) => times,
    });
    const desk = await deskOf([act], { repair: 'on', approver });
    expect(await desk.call('act', { key: 'k', times: '2' })).toMatchObject({ result: { value: 2 } });
    expect(seen).toMatchObject([{ times: 2 }]);
  });

  test('CALL-08 a secret in repaired arguments is hidden as in right ones, and never shown as corrected', async () => {
    const leak = defineTool({
      name: 'leak',
      description: 'Says what it got.',
      params: Login,
      handler: ({ key, times }) => `${key} ${String(times)}`,
    });
    const broken = '```json\n{"key":"s3cr3t-key","times":"2"}\n```';
    for (const repair of ['on', 'report'] as const) {
      const desk = await deskOf([leak], { repair });
      const outcome = await desk.call('leak', broken);
      expect(outcome.kind).toBe(repair === 'on' ? 'succeeded' : 'rejected');
      expect(outcome.text).not.toContain('s3cr3t-key');
      expect(JSON.stringify(desk.events)).not.toContain('s3cr3t-key');
      expect(desk.events[0]?.repairs).toHaveLength(2);
    }
  });

  test('CALL-08 arguments that were encoded twice are read, and no more often', async () => {
    const desk = await repairDesk({ repair: 'on' });
    const twice = JSON.stringify(JSON.stringify({ sku: 'A1', qty: 2 }));
    expect((await desk.call('order', twice)).kind).toBe('succeeded');
    expect(desk.events[0]?.repairs).toEqual([{ path: '', kind: 'double-encoding' }]);
    expect((await desk.call('order', JSON.stringify(twice))).kind).toBe('rejected');
  });

  test('CALL-08 arguments that are too large to be read are not repaired', async () => {
    const desk = await repairDesk({ repair: 'on' });
    const given = (note: string): string => JSON.stringify({ sku: 'A1', qty: '2', note });
    expect((await desk.call('order', given('x'.repeat(900_000)))).kind).toBe('succeeded');
    expect((await desk.call('order', given('x'.repeat(1_100_000)))).kind).toBe('rejected');
  });

  test('CALL-08 a value that its class converts is left as it is', async () => {
    class Tagged {
      @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split('+') : value))
      @Param({ description: 'Tags', type: [String] })
      tags!: string[];
      @Param({ description: 'Times', integer: true }) times!: number;
    }
    const tag = defineTool({ name: 'tag', description: 'T.', params: Tagged, handler: ({ tags }) => tags });
    const desk = await deskOf([tag], { repair: 'on' });
    expect((await desk.call('tag', { tags: 'a+b', times: '2' })).result.value).toEqual(['a', 'b']);
  });

  test('CALL-08 a repair within a secret names its field alone', async () => {
    class Access {
      @Param({ description: 'Pins', record: Number, secret: true }) pins!: Record<string, number>;
      @Param({ description: 'Sizes', record: Number }) sizes!: Record<string, number>;
    }
    const open = defineTool({ name: 'open', description: 'O.', params: Access, handler: () => 'Done.' });
    const desk = await deskOf([open], { repair: 'on' });
    const given = { pins: { [`${'x'.repeat(50)}@corp`]: '1234', 'ada@corp': '5678' }, sizes: { one: '1' } };
    expect((await desk.call('open', given)).text).toContain(
      'pins: a number written as a string; sizes[one]: a number written as a string',
    );
  });

  test('CALL-08 hostile arguments cost linear time, and long ones are not repeated to the model', async () => {
    const desk = await repairDesk({ repair: 'report' });
    const hostile = [
      `{"sku":"${',]'.repeat(250_000)}",}`,
      '```'.repeat(300_000),
      `{"sku":"A1","qty":2,"tags":${'['.repeat(400_000)}`,
      `[${'{"a":1,},'.repeat(100_000)}]`,
      `{"note":${'\\'.repeat(900_000)}"}`,
    ];
    const start = performance.now();
    for (const text of hostile) expect((await desk.call('order', text)).text.length).toBeLessThan(6_000);
    expect(performance.now() - start).toBeLessThan(5_000);
    const long = await desk.call('order', { sku: 'x'.repeat(10_000), qty: '2' });
    expect(long.text).toMatch(/They would be right but for this: qty: a number written as a string\.$/);
  });

  test('E312 another value of the option is refused', async () => {
    // @ts-expect-error -- the compiler refuses it as well
    await expect(createApplication({ prompts: [], repair: 'yes' })).rejects.toThrow(
      /E312 createApplication: repair: expected "off", "on" or "report", got the string "yes"/,
    );
  });
});

import { IsInt, Matches, Max, Min } from 'class-validator';
import { createApplication, Param, Prompt, Section, Session, Tool, ToolContext, ToolResult } from 'toolwright';
import { answer } from '../support/ProviderDouble';
import { provider, stopAll, toolMessages } from '../support/overHttp';
import { silent } from '../../../../spec/support/silent';

afterEach(stopAll);

describe('a run over HTTP', () => {
  test('two turns: the model looks two orders up at once, cancels one, and answers', async () => {
    class Cancelled {
      constructor(readonly orderId: string) {}
    }
    class OrderParams {
      @Param('Order id, with its leading #')
      @Matches(/^#W\d{7}$/)
      orderId!: string;
    }
    class CancelParams extends OrderParams {
      @Param({ description: 'Why, in the words of the customer', optional: true })
      reason?: string;
      @Param('Percent of the price to pay back')
      @IsInt()
      @Min(0)
      @Max(100)
      refund = 100;
    }
    const seen: object[] = [];
    @Section({ title: 'Orders', template: 'Look an order up before you change it.' })
    class Orders {
      @Tool({ description: 'Fetch one order.', hints: { readOnly: true } })
      getOrder({ orderId }: OrderParams) {
        return { orderId, status: 'pending' };
      }

      @Tool('Cancel an order.')
      cancelOrder(params: CancelParams, context: ToolContext) {
        seen.push(params);
        context.session.dispatch(new Cancelled(params.orderId));
        return ToolResult.ok(null, `Cancelled ${params.orderId}.`);
      }
    }
    @Prompt({ ns: 'shop', key: 'desk', sections: [Orders] })
    class Desk {}
    const app = await createApplication({ prompts: [Desk], fieldNames: 'snake_case' });
    const { double, adapter } = await provider(
      answer({
        content: 'Let me see.',
        toolCalls: [
          { id: 'call_1', name: 'get_order', arguments: '{"order_id":"#W0000001"}' },
          { id: 'call_2', name: 'get_order', arguments: '{"order_id":"#W0000002"}' },
        ],
      }),
      // Strict mode makes the model write every property: what it leaves open, it writes as null.
      answer({
        toolCalls: [
          { id: 'call_3', name: 'cancel_order', arguments: '{"order_id":"#W0000002","reason":null,"refund":null}' },
        ],
      }),
      answer({
        content: 'Order #W0000002 is cancelled.',
        usage: { prompt_tokens: 90, completion_tokens: 7, total_tokens: 97 },
      }),
    );
    const session = new Session();
    const response = await app.evaluate(app.prompt(Desk), {
      adapter,
      session,
      messages: [{ role: 'user', content: 'Cancel my second order.' }],
    });

    expect(response).toMatchObject({
      text: 'Order #W0000002 is cancelled.',
      finishReason: 'stop',
      turns: 3,
      requests: [{}, {}, { inputTokens: 90, outputTokens: 7, totalTokens: 97, cachedInputTokens: undefined }],
      usage: { inputTokens: 156, outputTokens: 43, totalTokens: 199 },
    });
    expect(session.slice(Cancelled).all()).toEqual([new Cancelled('#W0000002')]);
    expect(seen).toEqual([{ orderId: '#W0000002', refund: 100 }]);
    expect(double.requests.flatMap(({ problems }) => problems)).toEqual([]);
    expect(toolMessages(double, 2)).toEqual({
      call_1: '{"orderId":"#W0000001","status":"pending"}',
      call_2: '{"orderId":"#W0000002","status":"pending"}',
      call_3: 'Cancelled #W0000002.',
    });
    const [first, , third] = double.requests;
    expect(first?.body).toMatchObject({
      model: 'gpt-5-mini',
      messages: [
        { role: 'system', content: expect.stringContaining('Look an order up before you change it.') as string },
        { role: 'user', content: 'Cancel my second order.' },
      ],
      tools: [{ function: { name: 'get_order', strict: true } }, { function: { name: 'cancel_order', strict: true } }],
    });
    expect(third?.body.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'tool',
    ]);
    expect(third?.body.tools).toEqual(first?.body.tools);
    expect(double.left).toBe(0);
  });

  test('ADPT-03: malformed arguments, a failing tool, a wrong field and an unknown tool fail alone; the others run', async () => {
    class Booked {
      constructor(readonly room: string) {}
    }
    class RoomParams {
      @Param('Room')
      room!: string;
    }
    @Section({ title: 'Rooms', template: 'Book rooms.' })
    class Rooms {
      @Tool('Book a room.')
      book({ room }: RoomParams, context: ToolContext) {
        context.session.dispatch(new Booked(room));
        if (room === 'attic') throw new TypeError('the attic has no door');
        return `Booked ${room}.`;
      }
    }
    @Prompt({ ns: 'house', key: 'rooms', sections: [Rooms] })
    class House {}
    const app = await createApplication({ prompts: [House], logger: silent });
    const { double, adapter } = await provider(
      answer({
        toolCalls: [
          { id: 'good', name: 'book', arguments: '{"room":"kitchen"}' },
          { id: 'malformed', name: 'book', arguments: '{' },
          { id: 'failing', name: 'book', arguments: '{"room":"attic"}' },
          { id: 'wrong', name: 'book', arguments: '{"room":7,"zip":1}' },
          { id: 'unknown', name: 'functions.book room', arguments: '{}' },
          { id: 'last', name: 'book', arguments: '{"room":"cellar"}' },
        ],
      }),
      answer({ content: 'Two rooms are booked.' }),
    );
    const session = new Session();
    const response = await app.evaluate(app.prompt(House), { adapter, session });

    expect(response.text).toBe('Two rooms are booked.');
    expect(session.slice(Booked).all()).toEqual([new Booked('kitchen'), new Booked('cellar')]);
    expect(toolMessages(double, 1)).toEqual({
      good: 'Booked kitchen.',
      malformed: expect.stringMatching(/not accepted:\n- arguments: expected JSON; it is malformed/) as string,
      failing: expect.stringContaining('failed: TypeError: the attic has no door') as string,
      wrong: expect.stringMatching(/- zip: [^]*- room: /) as string,
      unknown: expect.stringContaining('There is no tool named "functions.book room".') as string,
      last: 'Booked cellar.',
    });
    // The provider would have refused the made-up name and, from an adapter that parses, the malformed arguments.
    expect(double.requests[1]?.problems).toEqual([]);
    expect(double.requests[1]?.body.messages[1]).toMatchObject({
      tool_calls: [{}, { function: { arguments: '{' } }, {}, {}, { function: { name: 'functions_book_room' } }, {}],
    });
  });

  test('ADPT-04: two calls with one id, and calls without one, are all answered', async () => {
    const runs: string[] = [];
    @Section({ title: 'Notes', template: 'Take notes.' })
    class Notes {
      @Tool('Note something.')
      note(@Param('text', 'What to note') text: string) {
        runs.push(text);
        return `Noted ${text}.`;
      }
    }
    @Prompt({ ns: 'a', key: 'notes', sections: [Notes] })
    class Pad {}
    const app = await createApplication({ prompts: [Pad] });
    const note = (id: string | undefined, text: string) => ({
      ...(id === undefined ? {} : { id }),
      type: 'function',
      function: { name: 'note', arguments: JSON.stringify({ text }) },
    });
    const calls = [
      note('x', 'one'),
      note('x', 'one'),
      note(undefined, 'two'),
      note('call_3', 'three'),
      note(undefined, 'four'),
    ];
    const message = { role: 'assistant', content: null, refusal: null, tool_calls: calls };
    const { double, adapter } = await provider(
      answer({ content: '' }, (said) => ({ ...said, choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })),
      answer({ content: 'Done.' }),
    );
    expect(await app.evaluate(app.prompt(Pad), { adapter })).toMatchObject({ text: 'Done.', turns: 2 });
    expect(runs).toEqual(['one', 'two', 'three', 'four']);
    expect(double.requests[1]?.problems).toEqual([]);
    expect(toolMessages(double, 1)).toEqual({
      x: 'Noted one.',
      x_2: 'Noted one.',
      call_2: 'Noted two.',
      call_3: 'Noted three.',
      call_4: 'Noted four.',
    });
  });

  test('a conversation is continued with its transcript', async () => {
    @Section({ title: 'Talk', template: 'Talk.' })
    class Talk {
      @Tool('Say the time.')
      clock() {
        return 'noon';
      }
    }
    @Prompt({ ns: 'a', key: 'talk', sections: [Talk] })
    class Chat {}
    const app = await createApplication({ prompts: [Chat] });
    const { double, adapter } = await provider(
      answer({ toolCalls: [{ name: 'clock', arguments: '' }] }),
      answer({ content: '' }, (said) => ({
        ...said,
        choices: [{ message: { role: 'assistant', content: null }, finish_reason: 'stop' }],
      })),
      answer({ content: 'Still noon.' }),
    );
    const first = await app.evaluate(app.prompt(Chat), { adapter });
    expect(first.text).toBeNull();
    const messages = [...first.transcript.slice(1), { role: 'user', content: 'And now?' } as const];
    expect(await app.evaluate(app.prompt(Chat), { adapter, messages })).toMatchObject({ text: 'Still noon.' });
    expect(double.requests[2]?.body.messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', expect.any(String)],
      ['assistant', null],
      ['tool', 'noon'],
      ['assistant', ''],
      ['user', 'And now?'],
    ]);
  });
});

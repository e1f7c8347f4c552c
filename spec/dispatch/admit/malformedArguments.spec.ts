import { Matches } from 'class-validator';
import { type Constructor, createApplication, definePrompt, Param, Section, Session, Tool } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { ToolInvoked } from 'toolwright/events';
import { refusalOf } from '../../builder/refusalOf.js';

/** An application that looks orders up, with ears on its calls. */
async function orderDesk() {
  class OrderParams {
    @Param('Order id') order_id!: string;
  }
  const looked: string[] = [];
  @Section({ title: 'Orders' })
  class OrdersSection {
    @Tool('Fetch one order.') getOrder({ order_id }: OrderParams): string {
      looked.push(order_id);
      return `order ${order_id}`;
    }
  }
  const type: Constructor = definePrompt({ ns: 'spec', key: 'desk', sections: [OrdersSection] });
  const app = await createApplication({ prompts: [type] });
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => {
    events.push(event);
  });
  return { app, prompt: app.prompt(type), looked, events };
}

describe('the loop continues', () => {
  test.each<[string, string, string, string, RegExp]>([
    ['ARG-01 malformed JSON', 'get_order', '{"order_id": "#W', 'rejected', /malformed.*position \d+/s],
    ['ARG-03 an array in place of an object', 'get_order', '["#W1"]', 'rejected', /expected an object/],
    [
      'ARG-04 an object encoded twice',
      'get_order',
      '"{\\"order_id\\":\\"#W1\\"}"',
      'rejected',
      /send the object itself/,
    ],
    ['ARG-19 an unknown tool', 'delete_everything', '{}', 'unknown', /get_order/],
    ['ARG-20 a tool named like a member of Object.prototype', 'toString', '{}', 'unknown', /get_order/],
  ])(
    'malformed arguments are reported with one event, and the next turn corrects them: %s',
    async (_case, name, text, kind, told) => {
      const { app, prompt, looked, events } = await orderDesk();
      const session = new Session({ id: 's1' });
      const before = JSON.stringify(session);
      const seen: string[] = [];
      const adapter = new ScriptedModel([
        { toolCalls: [{ name, arguments: text }] },
        ({ messages }) => {
          seen.push(JSON.stringify(session));
          expect(messages.at(-1)).toMatchObject({ role: 'tool', failed: true });
          return { toolCalls: [{ name: 'get_order', arguments: '{"order_id":"#W1"}' }] };
        },
        { text: 'Done.' },
      ]);
      const response = await app.evaluate(prompt, { adapter, session });
      expect(response.text).toBe('Done.');
      expect(looked).toEqual(['#W1']);
      expect(seen).toEqual([before]);
      expect(events.map((event) => event.kind)).toEqual([kind, 'succeeded']);
      expect(events[0]).toMatchObject({ result: { success: false, value: null } });
      expect(events[0]?.toolMessage).toMatch(told);
    },
  );
});

describe('ARG-06 duplicate keys', () => {
  test('ARG-06 the last one counts, for handler and event alike', async () => {
    const { app, prompt, looked, events } = await orderDesk();
    await app.invoke(await prompt.render(), 'get_order', '{"order_id":"a","order_id":"b"}');
    expect(looked).toEqual(['b']);
    expect(events[0]?.params).toEqual({ order_id: 'b' });
  });

  test('ARG-06 the event of a refused call holds what was read', async () => {
    const { app, prompt, looked, events } = await orderDesk();
    await app.invoke(await prompt.render(), 'get_order', '{"order_id":"a","order_id":5}');
    expect(looked).toEqual([]);
    expect(events[0]?.params).toEqual({ rawArguments: { order_id: 5 } });
  });
});

describe('ARG-23 ReDoS through a param pattern', () => {
  test('ARG-23 a dangerous pattern is refused at creation, by option and by decorator: E206 with place and remedy', async () => {
    class WordParams {
      @Param({ description: 'A word', pattern: '^(a+)+$' }) byOption!: string;
      @Param('A word') @Matches(/^(a+)+$/) byDecorator!: string;
    }
    @Section({ title: 'Words' })
    class WordsSection {
      @Tool('One.') one(params: WordParams) {}
      @Tool('Two.') two(@Param('word', { description: 'A word', pattern: /^(a+)+$/ }) word: string) {}
    }
    const refusal = await refusalOf(WordsSection);
    expect(refusal.findings).toMatchObject([
      { code: 'E206', place: 'WordParams.byOption', toolName: 'one', paramsType: 'WordParams' },
      { code: 'E206', place: 'WordParams.byDecorator', toolName: 'one' },
      { code: 'E206', place: 'WordsSection.two', member: 'two', placeholder: 'word' },
    ]);
    for (const { problem, remedy } of refusal.findings) {
      expect(problem).toContain('exponentially many ways');
      expect(remedy).toContain('Rewrite the pattern');
    }
  });

  test('ARG-23 a pattern that was taken answers in time, whatever the model sends', async () => {
    class WordParams {
      @Param({ description: 'A word', pattern: /^(?:a|b)+c$/ }) word!: string;
    }
    @Section({ title: 'Words' })
    class WordsSection {
      @Tool('One.') one(params: WordParams) {}
    }
    const type = definePrompt({ ns: 'spec', key: 'words', sections: [WordsSection] });
    const app = await createApplication({ prompts: [type] });
    const rendered = await app.prompt(type).render();
    await app.invoke(rendered, 'one', { word: 'abc' });
    const startedAt = performance.now();
    const outcome = await app.invoke(rendered, 'one', { word: `${'a'.repeat(50_000)}!` });
    expect(outcome.kind).toBe('rejected');
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

import { bind, createApplication, Param, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { TransactionalTable } from 'toolwright/resources';
import { ScriptedModel } from 'toolwright/testing';
import { ToolInvoked } from 'toolwright/events';
import { rehearseRun } from 'toolwright/own-loop';
import { InMemoryOverridesStore } from 'toolwright/overrides';
import { silent } from '../support/silent';

class Stock extends TransactionalTable<string, { readonly left: number }> {}

class Sku {
  @Param({ description: 'Article', type: String }) sku!: string;
}

class Reserved {
  constructor(readonly sku = '') {}
}

const call = (name: string, sku = 'A1') => ({ toolCalls: [{ name, arguments: { sku } }] });

async function desk() {
  const mails: string[] = [];
  @Section({ key: 'shop', title: 'Shop', template: 'Be kind.' })
  class Shop {
    @Tool({ description: 'Reserves.', params: Sku, hints: { openWorld: false } })
    reserve({ sku }: Sku, { session, resources }: ToolContext): string {
      const stock = resources.get(Stock);
      const { left = 0 } = stock.get(sku) ?? {};
      stock.set(sku, { left: left - 1 });
      session.dispatch(new Reserved(sku));
      return `${String(left - 1)} left`;
    }

    @Tool({ description: 'Sends.', params: Sku })
    send({ sku }: Sku): string {
      mails.push(sku);
      return 'sent';
    }

    @Tool({ description: 'Asks.', params: Sku, hints: { openWorld: false }, requiresApproval: true })
    asked({ sku }: Sku): string {
      return `asked about ${sku}`;
    }
  }
  @Prompt({ ns: 'shop', key: 'desk', sections: [Shop] })
  class Desk {}
  const stock = new Stock([['A1', { left: 5 }]]);
  const heard: unknown[] = [];
  const overrides = new InMemoryOverridesStore();
  const app = await createApplication({
    prompts: [Desk],
    resources: [bind(Stock, { value: stock })],
    logger: silent,
    overrides,
    approver: { approve: () => ({ kind: 'denied', reason: 'no' }) },
    interceptors: [{ aroundRun: (run, next) => (heard.push(run), next()) }],
  });
  app.eventBus.subscribe(ToolInvoked, (event) => {
    heard.push(event);
  });
  const session = new Session({ slices: [Reserved] });
  return { app, prompt: app.prompt(Desk), heard, mails, session, stock };
}

describe('rehearseRun', () => {
  test('later calls see what earlier ones wrote, and nothing of the run is kept', async () => {
    const { app, prompt, heard, session, stock } = await desk();
    const adapter = new ScriptedModel([call('reserve'), call('reserve'), { text: 'Two.' }]);
    const { response, changed, session: copy } = await rehearseRun(app, prompt, { adapter, session });
    expect(response.transcript.flatMap((message) => (message.role === 'tool' ? [message.content] : []))).toEqual([
      '4 left',
      '3 left',
    ]);
    expect(changed).toEqual([
      { part: 'resource', name: 'Stock', changes: [{ what: 'A1', before: { left: 5 }, after: { left: 3 } }] },
    ]);
    expect(copy.slice(Reserved).all()).toHaveLength(2);
    expect([stock.get('A1'), session.slice(Reserved).all()]).toEqual([{ left: 5 }, []]);
    expect(heard).toEqual([]);
  });

  test('a tool with effects outside does not run, and the model is told; approvals are given', async () => {
    const { app, prompt, mails } = await desk();
    const adapter = new ScriptedModel([call('send'), call('asked'), { text: 'Done.' }]);
    const { response } = await rehearseRun(app, prompt, { adapter });
    const read = response.transcript.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
    expect(read).toEqual([expect.stringContaining('this is a rehearsal'), 'asked about A1']);
    expect(mails).toEqual([]);
  });

  test('texts for this run alone lie over those of the store', async () => {
    const { app, prompt } = await desk();
    await prompt.overrides.write({ tools: { reserve: { description: 'Reserves one.' } } });
    const adapter = new ScriptedModel([{ text: 'Hello.' }]);
    const overrides = { sections: { shop: { body: 'Be brief.' } } };
    const seen: string[] = [];
    const interceptors = [
      {
        aroundModel: (asked: { readonly request: ScriptedModel['requests'][number] }, next: () => Promise<unknown>) => {
          seen.push(asked.request.toolSchemas('openai')[0]?.description ?? '');
          return next();
        },
      },
    ];
    await rehearseRun(app, prompt, { adapter, overrides, interceptors });
    expect(adapter.requests[0]?.messages[0]?.content).toContain('Be brief.');
    expect(seen).toEqual(['Reserves one.']);
    expect((await prompt.render()).text).toContain('Be kind.');
  });

  test('options and texts that do not fit are refused before the model is asked', async () => {
    const { app, prompt } = await desk();
    const adapter = new ScriptedModel([{ text: 'Hello.' }]);
    const wrong = { adapter, overrides: { sections: { nowhere: { body: 'x' } } } };
    await expect(rehearseRun(app, prompt, wrong)).rejects.toMatchObject({ code: 'E520' });
    await expect(rehearseRun(app, prompt, { adapter, conversation: 1 } as never)).rejects.toMatchObject({
      code: 'E413',
    });
    expect(adapter.requests).toHaveLength(0);
  });
});

import {
  bind,
  createApplication,
  definePrompt,
  defineSection,
  Param,
  Prompt,
  Section,
  Session,
  Tool,
  ToolContext,
  ToolRefusal,
  type Transactional,
} from 'toolwright';
import { InMemoryFilesystem, TransactionalTable } from 'toolwright/resources';
import { ToolInvoked } from 'toolwright/events';
import { rehearse, rehearses } from 'toolwright/own-loop';

class Stock extends TransactionalTable<string, { readonly left: number }> {}

class Reserved {
  @Param({ description: 'Article', type: String }) sku!: string;
  @Param({ description: 'Card', type: String, secret: true }) card!: string;

  constructor(sku: string, card: string) {
    Object.assign(this, { sku, card });
  }
}

/** A resource that cannot say what would change. */
class Mute implements Transactional<Mute> {
  committed = 0;

  begin(): Mute {
    return new Mute();
  }

  commit(): void {
    this.committed += 1;
  }
}

class Sku {
  @Param({ description: 'Article', type: String }) sku!: string;
}

const mails: string[] = [];

@Section({ key: 'shop', title: 'Shop' })
class Shop {
  readonly greeting = 'Would send';

  @Tool({ description: 'Reserves.', params: Sku, hints: { openWorld: false } })
  async reserve({ sku }: Sku, { session, resources }: ToolContext): Promise<string> {
    const stock = resources.get(Stock);
    const { left = 0 } = stock.get(sku) ?? {};
    if (left === 0) throw new ToolRefusal('Nothing left.');
    stock.set(sku, { left: left - 1 });
    await resources.get(InMemoryFilesystem).write('log/today.txt', `reserved ${sku}\n`);
    session.dispatch(new Reserved(sku, '4111'));
    return `reserved ${sku}`;
  }

  @Tool({ description: 'Sends.', params: Sku })
  send({ sku }: Sku): string {
    mails.push(sku);
    return 'sent';
  }

  @Tool({
    description: 'Sends, and can show it.',
    params: Sku,
    preview(this: Shop, { sku }: Sku, { session }) {
      session.dispatch(new Reserved(sku, '4111'));
      return `${this.greeting} ${sku}`;
    },
  })
  sendShown({ sku }: Sku): string {
    mails.push(sku);
    return 'sent';
  }

  @Tool({ description: 'Reserves, then sends.', params: Sku, hints: { openWorld: false } })
  async both({ sku }: Sku, context: ToolContext): Promise<string> {
    const first = await context.callTool({ id: 'r', name: 'reserve', arguments: { sku } });
    const second = await context.callTool({ id: 's', name: 'send', arguments: { sku } });
    return `${first.text}\n${second.text}`;
  }

  @Tool({ description: 'Uses what cannot say.', hints: { openWorld: false } })
  mute({ resources }: ToolContext): string {
    resources.get(Mute);
    return 'used';
  }

  @Tool({ description: 'Needs a yes.', params: Sku, hints: { openWorld: false }, requiresApproval: true })
  asked({ sku }: Sku, { session }: ToolContext): string {
    session.dispatch(new Reserved(sku, '4111'));
    return 'done';
  }
}

@Prompt({ ns: 'shop', key: 'desk', sections: [Shop] })
class Desk {}

async function desk() {
  const mute = new Mute();
  const stock = new Stock([['A1', { left: 2 }]]);
  const files = new InMemoryFilesystem();
  const events: object[] = [];
  const asked: unknown[] = [];
  const app = await createApplication({
    prompts: [Desk],
    resources: [bind(Stock, { value: stock }), bind(Mute, { value: mute }), bind(InMemoryFilesystem, { value: files })],
    approver: {
      approve: (call) => {
        asked.push(call);
        return { kind: 'denied', reason: 'no' };
      },
    },
    interceptors: [
      {
        aroundTool: (call, next) => {
          events.push(call);
          return next();
        },
      },
    ],
  });
  app.eventBus.subscribe(ToolInvoked, (event) => {
    events.push(event);
  });
  const session = new Session({ slices: [Reserved] });
  const rendered = await app.prompt(Desk).render({ session });
  const run = (name: string, args: Readonly<Record<string, unknown>> = { sku: 'A1' }) =>
    rehearse(app, rendered, { id: '1', name, arguments: args }, { session });
  return { app, asked, events, files, mute, rendered, run, session, stock };
}

describe('a rehearsal', () => {
  beforeEach(() => {
    mails.length = 0;
  });

  test('a rehearsal shows the result and every change, and keeps none', async () => {
    const { events, files, run, session, stock } = await desk();
    const { ran, outcome, changed } = await run('reserve');
    expect([ran, outcome.kind, outcome.text, outcome.result.value]).toEqual([
      'handler',
      'succeeded',
      'reserved A1',
      'reserved A1',
    ]);
    expect(changed).toEqual([
      { part: 'session', name: 'Reserved', changes: [{ what: '0', before: undefined, after: { sku: 'A1' } }] },
      { part: 'resource', name: 'Stock', changes: [{ what: 'A1', before: { left: 2 }, after: { left: 1 } }] },
      {
        part: 'resource',
        name: 'InMemoryFilesystem',
        changes: [{ what: 'log/today.txt', before: undefined, after: 'reserved A1\n' }],
      },
    ]);
    expect(stock.get('A1')).toEqual({ left: 2 });
    expect(files.files()).toEqual({});
    expect(session.slice(Reserved).all()).toEqual([]);
    expect(events).toEqual([]);
  });

  test('a rehearsal of a call that fails changes nothing, and says why', async () => {
    const { run } = await desk();
    const refused = await run('reserve', { sku: 'B2' });
    expect([refused.outcome.kind, refused.outcome.text, refused.changed]).toEqual([
      'failed',
      expect.stringContaining('Nothing left.'),
      [],
    ]);
    const wrong = await run('reserve', {});
    expect([wrong.outcome.kind, wrong.changed]).toEqual(['rejected', []]);
  });

  test('a rehearsal refuses a tool that may act outside: E610 with the hints and the preview', async () => {
    const { rendered, run } = await desk();
    await expect(run('send')).rejects.toMatchObject({
      code: 'E610',
      place: 'Shop.send',
      remedy: expect.stringContaining('preview') as unknown,
    });
    expect(mails).toEqual([]);
    expect(['reserve', 'send', 'send_shown', 'nothing'].map((name) => rehearses(rendered, name))).toEqual([
      'handler',
      undefined,
      'preview',
      undefined,
    ]);
  });

  test('a rehearsal runs the preview of a tool in place of its handler, on its section', async () => {
    const { run, session } = await desk();
    const { ran, outcome, changed } = await run('send_shown');
    expect([ran, outcome.text, changed.map(({ name }) => name)]).toEqual(['preview', 'Would send A1', ['Reserved']]);
    expect(mails).toEqual([]);
    expect(session.slice(Reserved).all()).toEqual([]);
  });

  test('a rehearsal lets a handler call only what can be rehearsed', async () => {
    const { run } = await desk();
    const { outcome, changed } = await run('both');
    expect(outcome.text).toContain('reserved A1');
    expect(outcome.text).toContain('this is a rehearsal');
    expect(changed.map(({ name }) => name)).toEqual(['Reserved', 'Stock', 'InMemoryFilesystem']);
    expect(mails).toEqual([]);
  });

  test('a rehearsal lists a resource that cannot say what would change', async () => {
    const { mute, run } = await desk();
    expect((await run('mute', {})).changed).toEqual([{ part: 'resource', name: 'Mute', changes: undefined }]);
    expect(mute.committed).toBe(0);
  });

  test('a rehearsal needs no approval, and asks no approver', async () => {
    const { asked, run } = await desk();
    expect((await run('asked')).outcome.kind).toBe('succeeded');
    expect(asked).toEqual([]);
  });

  test('a rehearsal refuses a wrong preview when the application is created', async () => {
    const type = definePrompt({
      ns: 'a',
      key: 'b',
      sections: [defineSection({ key: 's', title: 'S', tools: [toolWith({ preview: 'yes' as never })] })],
    });
    await expect(createApplication({ prompts: [type] })).rejects.toThrow(
      'preview: expected a function, got the string "yes"',
    );
  });
});

function toolWith(options: { readonly preview: never }) {
  @Tool({ description: 'Looks.', params: Sku, ...options })
  class Look {
    handle(_params: Sku): string {
      return '';
    }
  }
  return Look;
}

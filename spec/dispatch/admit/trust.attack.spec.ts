import {
  ApprovalPendingError,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  type PendingCall,
  Session,
  ToolResult,
} from 'toolwright';
import type { Approver } from 'toolwright/policies';
import { ScriptedModel } from 'toolwright/testing';
import { ToolInvoked } from 'toolwright/events';
import { measureAround } from '../../support/attacks/around';

measureAround();

class Payment {
  @Param('To') to!: string;
  @Param('Amount') amount!: number;
}

class Access {
  @Param({ description: 'Personal number', secret: true }) pin!: number;
  @Param({ description: 'Password', secret: true }) password!: string;
}

const GIVEN = { pin: 471_147, password: 'hunter2-hunter2' };

async function desk(handler: (params: Access) => unknown, approver?: Approver, description = 'Pays.') {
  const paid: Payment[] = [];
  const pay = defineTool({
    name: 'pay',
    description,
    params: Payment,
    requiresApproval: true,
    handler: (params: Payment) => {
      paid.push(params);
      return 'paid';
    },
  });
  const signIn = defineTool({ name: 'sign_in', description: 'Signs in.', params: Access, handler });
  const section = defineSection({ key: 'desk', title: 'Desk', template: 'Work.', tools: [pay, signIn] });
  const Desk = definePrompt({ ns: 'spec', key: 'desk', sections: [section] });
  const logged: unknown[] = [];
  const log = (...line: readonly unknown[]): void => void logged.push(line);
  const app = await createApplication({
    prompts: [Desk],
    logger: { debug: log, info: log, warn: log, error: log },
    ...(approver === undefined ? {} : { approver }),
  });
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => void events.push(event));
  const rendered = await app.prompt(Desk).render();
  return { app, Desk, rendered, events, logged, paid };
}

describe('a call that waits for its approval belongs to its principal, conversation and tool', () => {
  const runMetadata = { principal: 'ada', conversation: 'c-1', tenant: 't', trace: 't-1' };

  async function waiting() {
    const here = await desk(() => 'in', { approve: () => ({ kind: 'later' }) });
    const call = { id: 'c1', name: 'pay', arguments: { to: 'bo', amount: 3 } };
    const error: unknown = await here.app
      .callTool(here.rendered, call, { runMetadata })
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof ApprovalPendingError)) throw error;
    const pending = JSON.parse(JSON.stringify(error.pending)) as PendingCall;
    const go = (record: PendingCall, metadata: Readonly<Record<string, string>> = runMetadata, at = here) =>
      at.app.continueCall(at.rendered, record, { kind: 'approved' }, { session: new Session(), runMetadata: metadata });
    return { here, pending, go };
  }

  test.each<[string, Readonly<Record<string, string>>]>([
    ['another principal', { ...runMetadata, principal: 'eve' }],
    ['no principal', { conversation: 'c-1', tenant: 't' }],
    ['another conversation', { ...runMetadata, conversation: 'c-2' }],
    ['no conversation', { principal: 'ada', tenant: 't' }],
    ['another tenant', { ...runMetadata, tenant: 'u' }],
    ['no tenant', { principal: 'ada', conversation: 'c-1' }],
  ])('HOST-13a an approval is refused with E712, and nothing is paid: %s', async (_what, metadata) => {
    const { here, pending, go } = await waiting();
    await expect(go(pending, metadata)).rejects.toMatchObject({ code: 'E712' });
    expect(here.paid).toEqual([]);
  });

  test('HOST-13a another trace of the same principal and conversation goes on', async () => {
    const { here, pending, go } = await waiting();
    expect((await go(pending, { ...runMetadata, trace: 't-2' })).kind).toBe('succeeded');
    expect(here.paid).toEqual([{ to: 'bo', amount: 3 }]);
  });

  test('HOST-13b a tool whose description changed since: E712 names the tool', async () => {
    const { pending, go } = await waiting();
    const changed = await desk(() => 'in', undefined, 'Pays, and keeps a tip.');
    await expect(go(pending, runMetadata, changed)).rejects.toMatchObject({
      code: 'E712',
      message: expect.stringContaining('pay is no longer the tool that was to be approved') as string,
    });
    expect(changed.paid).toEqual([]);
  });

  test('HOST-13c each field of the record is bound: a change of any one is refused', async () => {
    const { here, pending, go } = await waiting();
    for (const [field, value] of Object.entries(pending)) {
      const other =
        typeof value === 'number' ? value + 1 : typeof value === 'string' ? `${value}x` : { to: 'eve', amount: 3 };
      const metadata = { ...runMetadata, ...(field in runMetadata ? { [field]: `${String(value)}x` } : {}) };
      await expect(go({ ...pending, [field]: other }, metadata)).rejects.toMatchObject({ code: 'E712' });
    }
    expect(here.paid).toEqual([]);
  });
});

describe('a call whose JSON has a key twice is judged as it will run', () => {
  const twice = '{"to":"bo","amount":3,"t\\u006f":"eve"}';

  test('HOST-15c the approver sees the arguments of the call that runs', async () => {
    const seen: unknown[] = [];
    const approver: Approver = { approve: ({ call }) => (seen.push(call.arguments), { kind: 'approved' }) };
    const { app, rendered, paid } = await desk(() => 'in', approver);
    await app.callTool(rendered, { id: 'c1', name: 'pay', arguments: twice });
    expect(seen).toEqual(['{"to":"eve","amount":3}']);
    expect(paid).toEqual([{ to: 'eve', amount: 3 }]);
  });

  test('HOST-15c the record of a call that waits holds them as well', async () => {
    const { app, rendered } = await desk(() => 'in', { approve: () => ({ kind: 'later' }) });
    const error: unknown = await app
      .callTool(rendered, { id: 'c1', name: 'pay', arguments: twice })
      .catch((thrown: unknown) => thrown);
    expect((error as ApprovalPendingError).pending.arguments).toBe('{"to":"eve","amount":3}');
  });

  test('HOST-15c equal keys of different objects, and texts that look like keys, are left letter by letter', async () => {
    const seen: unknown[] = [];
    const approver: Approver = { approve: ({ call }) => (seen.push(call.arguments), { kind: 'approved' }) };
    const { app, rendered } = await desk(() => 'in', approver);
    const once = '{ "to": "\\"amount\\": {", "amount": 3.0 }';
    await app.callTool(rendered, { id: 'c1', name: 'pay', arguments: once });
    expect(seen).toEqual([once]);
  });
});

describe('secrets stay out of what is recorded, in whatever form a handler gives them', () => {
  class Url {
    readonly #password: string;
    constructor(password: string) {
      this.#password = password;
    }
    toJSON(): string {
      return `https://ada:${this.#password}@example.org`;
    }
  }

  test.each<[string, (params: Access) => unknown]>([
    ['a number', ({ pin }) => ({ pin, list: [pin] })],
    ['a number as text', ({ pin }) => `the pin is ${String(pin)}`],
    ['a key of an object', ({ password }) => ({ [password]: true })],
    ['a key of a map', ({ password }) => new Map([[password, 1]])],
    ['an accessor', ({ password }) => Object.defineProperty({}, 'word', { enumerable: true, get: () => password })],
    ['its own toJSON', ({ password }) => ({ toJSON: () => ({ word: password }) })],
    ['the toJSON of a class with private state', ({ password }) => new Url(password)],
    ['a key of an error', ({ password }) => Object.assign(new Error('no'), { [password]: 1 })],
    ['a thrown text', ({ password }) => Promise.reject(new Error(`wrong: ${password}`))],
    ['the value of a refusal', ({ pin, password }) => ToolResult.error(password, { value: { pin } })],
  ])('HOST-14a a secret stays out of records when a handler returns %s', async (_what, handler) => {
    const { app, rendered, events, logged } = await desk(handler);
    await app.callTool(rendered, { id: 'c1', name: 'sign_in', arguments: GIVEN });
    expect(events).toHaveLength(1);
    const [event] = events;
    const recorded = JSON.stringify(
      [event, event?.result?.value, event?.params, event?.toolMessage, logged],
      (_key, value: unknown) =>
        value instanceof Map
          ? [...(value as ReadonlyMap<unknown, unknown>)]
          : value instanceof Error
            ? Object.fromEntries(
                Object.getOwnPropertyNames(value).map((name) => [name, Reflect.get(value, name) as unknown]),
              )
            : value,
    );
    expect(recorded).not.toContain('hunter2');
    expect(recorded).not.toContain('471147');
  });

  test('HOST-14b arguments of an unknown tool, which may be those of a tool with secrets', async () => {
    const { app, Desk, events } = await desk(() => 'in');
    const model = new ScriptedModel([
      { toolCalls: [{ id: 'c1', name: 'signin', arguments: GIVEN }] },
      { text: 'Done.' },
    ]);
    const { transcript } = await app.evaluate(app.prompt(Desk), { adapter: model });
    expect(events).toMatchObject([{ kind: 'unknown' }]);
    expect(JSON.stringify([events, transcript])).not.toContain('hunter2');
    expect(JSON.stringify([events, transcript])).not.toContain('471147');
    const answer = transcript.find(({ role }) => role === 'tool');
    expect(answer?.content).toContain('sign_in');
  });
});

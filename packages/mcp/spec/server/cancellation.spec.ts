import { ProgressNotificationSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { createApplication, Param, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { type McpService, serveMcp } from '@toolwright/mcp';
import { silent } from '../../../../spec/support/silent';
import { clientOf, closeAll, RawPeer } from '../support/serverKit';

afterEach(closeAll);

class Begun {
  constructor(readonly what: string) {}
}

/** A server with a tool that waits until it is released, or aborted. */
async function waitingHouse() {
  const session = new Session();
  let goOn: () => void = () => {};
  let tellBegun: () => void = () => {};
  const begun = new Promise<void>((resolve) => (tellBegun = resolve));
  const released = new Promise<void>((resolve) => (goOn = resolve));
  const reasons: unknown[] = [];
  const contexts: ToolContext[] = [];

  @Section({ title: 'Waiting', template: 'Waiting.' })
  class Waiting {
    @Tool('Wait.') async wait(context: ToolContext) {
      contexts.push(context);
      context.session.dispatch(new Begun('wait'));
      context.reportProgress({ fraction: 0.5 });
      context.signal.addEventListener('abort', () => reasons.push(context.signal.reason));
      tellBegun();
      await released;
      return 'Done.';
    }
    @Tool('Do nothing.') idle(@Param('n', 'A number') n: number) {
      return n;
    }
    @Tool('Tell progress.') tell(context: ToolContext) {
      for (const fraction of [0, 0.25, 0.25, undefined, 1]) context.reportProgress({ fraction, message: 'Step.' });
      return 'Told.';
    }
  }
  @Prompt({ ns: 'test', key: 'house', sections: [Waiting] })
  class House {}
  const app = await createApplication({ prompts: [House], logger: silent });
  const server = serveMcp(app, app.prompt(House), { session: () => session });
  return { server, session, begun, goOn: () => goOn(), reasons, contexts };
}

const answers = (heard: readonly JSONRPCMessage[], id: string | number): readonly JSONRPCMessage[] =>
  heard.filter((message) => 'id' in message && message.id === id);

const call = (name: string, id: string | number, extra: object = {}) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: {}, ...extra },
});

/** A request that is answered after everything that was sent before it. */
async function round(peer: RawPeer): Promise<void> {
  await peer.say({ id: 'last', method: 'ping' });
  await peer.answerTo('last');
}

describe('MCP-07 cancelled requests', () => {
  test.each([['seven'], [0], [7]])(
    'MCP-07 %p: the handler is aborted, the call rolled back, and nothing sent',
    async (id) => {
      const { server, session, begun, goOn, reasons } = await waitingHouse();
      const peer = await RawPeer.of(server);
      await peer.say(call('wait', id, { _meta: { progressToken: 'p' } }));
      await begun;
      await peer.say({ method: 'notifications/cancelled', params: { requestId: id, reason: 'Too slow.' } });
      await round(peer);
      goOn();
      await server.close();
      expect(reasons).toMatchObject([{ message: 'The client cancelled the request: Too slow.' }]);
      expect(session.slice(Begun).all()).toEqual([]);
      expect(answers(peer.heard, id)).toEqual([]);
    },
  );

  test('MCP-07 a cancellation that comes too late, twice, or for nothing changes nothing', async () => {
    const { server } = await waitingHouse();
    const peer = await RawPeer.of(server);
    const cancel = (requestId: unknown) => peer.say({ method: 'notifications/cancelled', params: { requestId } });
    await peer.say(call('idle', 1, { arguments: { n: 5 } }));
    expect(await peer.answerTo(1)).toMatchObject({ result: { content: [{ text: '5' }] } });
    for (const id of [1, 1, 99, 'x', null, { no: 'id' }]) await cancel(id);
    await round(peer);
    await peer.say(call('idle', 2, { arguments: { n: 6 } }));
    expect(await peer.answerTo(2)).toMatchObject({ result: { content: [{ text: '6' }] } });
    expect(answers(peer.heard, 1)).toHaveLength(1);
  });

  test('MCP-07 progress is sent while the handler runs, increasing, and only to those who asked', async () => {
    const { server } = await waitingHouse();
    const client = await clientOf(server);
    const told: unknown[] = [];
    const { content } = await client.callTool({ name: 'tell' }, undefined, { onprogress: (step) => told.push(step) });
    expect(content).toEqual([{ type: 'text', text: 'Told.' }]);
    const message = 'Step.';
    expect(told).toEqual([
      { progress: 0, total: 100, message },
      { progress: 25, total: 100, message },
      { progress: 25.001, total: 100, message },
      { progress: 25.002, total: 100, message },
      { progress: 100, total: 100, message },
    ]);
    const unasked: unknown[] = [];
    client.setNotificationHandler(ProgressNotificationSchema, (step) => void unasked.push(step));
    await client.callTool({ name: 'tell' });
    expect(unasked).toEqual([]);
  });

  test('MCP-07 after the answer there is no progress: a handler that continues finds its context closed', async () => {
    const { server, begun, goOn, contexts } = await waitingHouse();
    const peer = await RawPeer.of(server);
    await peer.say(call('wait', 1, { _meta: { progressToken: 'p' } }));
    await begun;
    goOn();
    await peer.answerTo(1);
    expect(() => contexts[0]?.reportProgress({ fraction: 1 })).toThrow(
      expect.objectContaining({ code: 'E602' }) as Error,
    );
    await round(peer);
    expect(peer.heard.filter((message) => 'method' in message)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 50, total: 100 } },
    ]);
  });
});

describe('MCP-06 garbage', () => {
  test('MCP-06 wrong params, unknown methods and ids that are in use get their codes, and the server continues', async () => {
    const { server, begun, goOn } = await waitingHouse();
    const peer = await RawPeer.of(server);
    const refused: readonly (readonly [string, unknown, number])[] = [
      ['tools/call', { name: 5 }, -32602],
      ['tools/call', { name: 'idle', arguments: [1] }, -32602],
      ['tools/call', {}, -32602],
      ['tools/list', { cursor: 7 }, -32602],
      ['resources/read', { uri: 5 }, -32602],
      ['prompts/get', { name: 'house', arguments: { n: 1 } }, -32602],
      ['logging/setLevel', { level: 'loud' }, -32602],
      ['completion/complete', { ref: {} }, -32602],
      ['initialize', { protocolVersion: 1 }, -32602],
      ['tools/destroy', {}, -32601],
      ['constructor', {}, -32601],
    ];
    for (const [index, [method, params, code]] of refused.entries()) {
      await peer.say({ id: index, method, params });
      expect([method, await peer.answerTo(index)]).toMatchObject([method, { error: { code } }]);
    }
    await peer.say({ method: 'notifications/unheard-of', params: { what: 1 } });
    await peer.say({ method: 'notifications/progress', params: { progressToken: 'none', progress: 1 } });
    await peer.say({ id: 4_000, result: { to: 'nothing' } });
    await peer.say(call('wait', 'twice'));
    await begun;
    await peer.say(call('idle', 'twice', { arguments: { n: 1 } }));
    expect(await peer.answerTo('twice')).toMatchObject({ error: { code: -32600 } });
    goOn();
    await round(peer);
  });
});

describe('closing', () => {
  const closed = async (server: McpService, graceMs: number) => server.close({ graceMs });

  test('closing waits for calls, and then for nothing', async () => {
    const { server, session, begun, goOn } = await waitingHouse();
    const peer = await RawPeer.of(server);
    await peer.say(call('wait', 1));
    await begun;
    const closing = closed(server, 60_000);
    goOn();
    await closing;
    expect(session.slice(Begun).all()).toEqual([new Begun('wait')]);
    expect(await peer.answerTo(1)).toMatchObject({ result: { content: [{ text: 'Done.' }] } });
  });

  test('closing aborts and rolls back calls that still run after the grace period', async () => {
    const { server, session, begun, reasons } = await waitingHouse();
    const peer = await RawPeer.of(server);
    await peer.say(call('wait', 1));
    await begun;
    await closed(server, 10);
    expect(reasons).toMatchObject([{ message: 'The server is closing.' }]);
    expect(session.slice(Begun).all()).toEqual([]);
    expect(answers(peer.heard, 1)).toEqual([]);
  });
});

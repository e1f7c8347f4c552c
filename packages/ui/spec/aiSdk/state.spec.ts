import { chatHandler } from '../../src/index';
import { callOf, closeShops, Ledger, openShop, readEvents } from '../agUi/desk';

afterEach(closeShops);

/** Sends a message. Returns the chunks that show state, and the state that the chat has afterwards. */
async function readState(
  state?: Readonly<Record<string, typeof Ledger>>,
): Promise<{ readonly shown: readonly unknown[]; readonly kept: unknown }> {
  const shop = await openShop([callOf('note', { id: 'W7', amount: 1 }), { text: 'Noted.' }]);
  const handler = chatHandler(shop.runs, {
    authenticate: () => ({ id: 'ann' }),
    ...(state === undefined ? {} : { state }),
  });
  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Note W7.' }] };
  const body = JSON.stringify({ id: 'c-1', messages: [message] });
  const headers = { 'content-type': 'application/json' };
  const response = await handler(new Request('http://127.0.0.1/api/chat', { method: 'POST', headers, body }));
  const chunks = await readEvents(response);
  expect(chunks.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  const shown = chunks.filter(({ type }) => type === 'data-state');
  const chat = await handler(new Request('http://127.0.0.1/api/chat/c-1'));
  return { shown, kept: ((await chat.json()) as { readonly state?: unknown }).state };
}

describe('slices of the session in a chat of the AI SDK', () => {
  test('a slice comes at the beginning, and in its place once a call has changed it', async () => {
    const { shown } = await readState({ ledger: Ledger });
    expect(shown).toEqual([
      { type: 'data-state', id: 'ledger', data: [] },
      { type: 'data-state', id: 'ledger', data: [{ refunds: ['W7'] }] },
    ]);
  });

  test('a page that loads the chat gets the slices as they are', async () => {
    expect((await readState({ ledger: Ledger })).kept).toEqual({ ledger: [{ refunds: ['W7'] }] });
  });

  test('nothing is read or shown if the host names no slices', async () => {
    expect(await readState()).toEqual({ shown: [], kept: undefined });
  });
});

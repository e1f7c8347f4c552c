import type { Message, ModelRequest } from 'toolwright';
import { InPlaceModel } from '../../../samples/20-retail-desk/demo/InPlaceModel.js';
import { call, lastAnswer } from '../../../samples/20-retail-desk/demo/script.js';

const model = new InPlaceModel([
  call('find', { email: 'a@b.c' }),
  (request) => call('details', { user: (JSON.parse(lastAnswer(request)) as { readonly id: string }).id }),
  { text: 'Done.' },
]);
const said = {
  role: 'assistant',
  content: null,
  toolCalls: [{ id: 'call_1_1', name: 'find', arguments: '{}' }],
} as const;
const read = (content: string) =>
  ({ role: 'tool', toolCallId: 'call_1_1', name: 'find', content, failed: false }) as const;
const after = (...messages: readonly Message[]) =>
  model.complete({ messages: [{ role: 'user', content: 'Hello.' }, ...messages] } as unknown as ModelRequest);

describe('the script of the desk', () => {
  test('the script of the desk goes on from the place that a conversation has reached, with ids that it does not hold yet', async () => {
    expect(model.name).toBe('scripted (not a model)');
    expect(await after()).toMatchObject({ toolCalls: [{ id: 'call_1_1', name: 'find' }] });
    expect(await after(said, read('{"id":"eve"}'))).toMatchObject({
      toolCalls: [{ id: 'call_2_1', name: 'details', arguments: { user: 'eve' } }],
    });
    expect(await after(said, read('{}'), said, read('{}'))).toMatchObject({ text: 'Done.', finishReason: 'stop' });
  });

  test('the script of the desk says so where it has ended, and where what was changed does not fit', async () => {
    const end = { text: 'The script ends here; a model would go on.', toolCalls: [] };
    expect(await after(said, said, said)).toMatchObject(end);
    expect(await after(said, read('No such customer.'))).toMatchObject({
      text: 'The script does not fit what was changed; a model would go on.',
    });
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApplication, Session } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { FileOverridesStore, InMemoryOverridesStore, type OverridesStore } from 'toolwright/overrides';
import { openDesk, type Desk } from './desk';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
const newFileStore = (): OverridesStore => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-overrides-'));
  folders.push(folder);
  return new FileOverridesStore(folder);
};

const closedDesk = async (store: OverridesStore): Promise<Desk> => {
  const desk = await openDesk({ orders: { visibility: 'summary', summary: 'Short.' } }, store);
  await desk.prompt.overrides.write(
    {
      sections: { orders: { summary: 'Shorter.', body: 'Second.' }, 'orders.refunds': { body: 'Within 60 days.' } },
      tools: { get_order: { description: 'Second description.' } },
    },
    { tag: 'v2' },
  );
  return desk;
};
const opening = {
  toolCalls: [{ name: 'open_sections', arguments: { section_keys: ['orders'], reason: 'to help' } }],
};

describe.each([
  ['InMemoryOverridesStore', () => new InMemoryOverridesStore()],
  ['FileOverridesStore', newFileStore],
] as const)('openings with overrides of %s', (_name, newStore) => {
  test('a run with a tag shows its summary, and opens with the same tag', async () => {
    const { app, prompt } = await closedDesk(newStore());
    const adapter = new ScriptedModel([opening, { text: 'Done.' }]);
    await app.evaluate(prompt, { adapter, session: new Session(), overridesTag: 'v2' });
    const [first, second] = adapter.requests;
    expect(first?.messages[0]?.content).toContain('Shorter.');
    const answer = second?.messages.at(-1)?.content;
    expect(answer).toContain('Second.');
    expect(answer).toContain('Within 60 days.');
    expect(answer).not.toContain('Within 30 days.');
    expect(second?.toolSchemas('json-schema').find(({ name }) => name === 'get_order')?.description).toBe(
      'Second description.',
    );
  });

  test('a streamed run does so as well', async () => {
    const { app, prompt } = await closedDesk(newStore());
    const adapter = new ScriptedModel([opening, { text: 'Done.' }]);
    for await (const { kind } of app.stream(prompt, { adapter, overridesTag: 'v2' })) if (kind === 'done') break;
    expect(adapter.requests[1]?.messages.at(-1)?.content).toContain('Second.');
  });

  test('a run keeps the texts that it began with, whatever is written or deleted meanwhile', async () => {
    const { app, prompt } = await closedDesk(newStore());
    const adapter = new ScriptedModel([opening, { text: 'Done.' }]);
    const complete = adapter.complete.bind(adapter);
    const changing = {
      name: 'changing',
      complete: async (...[request]: Parameters<typeof complete>) => {
        if (request.messages.length === 1) await prompt.overrides.delete({ tag: 'v2' });
        return complete(request);
      },
    };
    await app.evaluate(prompt, { adapter: changing, overridesTag: 'v2' });
    expect(adapter.requests[1]?.messages.at(-1)?.content).toContain('Second.');
  });

  test('a run without a tag shows the latest; a rendering that is given keeps its own', async () => {
    const { app, prompt } = await closedDesk(newStore());
    const adapter = new ScriptedModel([{ text: 'Done.' }, { text: 'Done.' }]);
    await app.evaluate(prompt, { adapter });
    await app.evaluate(await prompt.render({ overridesTag: 'v2' }), { adapter, overridesTag: 'latest' });
    expect(adapter.requests.map(({ messages }) => messages[0]?.content?.includes('Shorter.'))).toEqual([false, true]);
  });
});

test('E526 a run with a tag in an application without a store is refused, not run with other texts', async () => {
  const { prompt } = await closedDesk(new InMemoryOverridesStore());
  const app = await createApplication({ prompts: [prompt.metadata.type] });
  const adapter = new ScriptedModel([{ text: 'Done.' }]);
  await expect(app.evaluate(app.prompt(prompt.metadata.type), { adapter, overridesTag: 'v2' })).rejects.toMatchObject({
    code: 'E526',
  });
  expect(adapter.requests).toEqual([]);
});

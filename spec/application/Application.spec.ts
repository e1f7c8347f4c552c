import { createApplication, definePrompt, defineSection, defineTool, Session, type ToolOutcome } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { PromptExecuted } from 'toolwright/events';

class Note {
  constructor(readonly text: string) {}
}
async function noting() {
  const note = defineTool({
    name: 'note',
    description: 'Notes.',
    handler: (_params: unknown, { session, call }) => {
      session.dispatch(new Note(call.id));
      return session.slice(Note).all().length;
    },
  });
  const type = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools: [note] })] });
  let count = 0;
  const app = await createApplication({ prompts: [type], ids: () => `id${++count}` });
  return { app, type, rendered: await app.prompt(type).render() };
}

describe('an application', () => {
  test('an application is frozen, and returns a prompt by its class', async () => {
    const { app, type } = await noting();
    expect(Object.isFrozen(app)).toBe(true);
    expect(app.prompt(type)).toBe(app.prompt(type));
  });

  test('callTool, callTools and invoke work on the session that they are given', async () => {
    const { app, rendered } = await noting();
    const session = new Session();
    const one: ToolOutcome = await app.callTool(rendered, { id: 'a', name: 'note', arguments: '{}' }, { session });
    const [two, three] = await app.callTools(
      rendered,
      [
        { id: 'b', name: 'note', arguments: null },
        { id: 'c', name: 'note', arguments: {} },
      ],
      { session },
    );
    const four = await app.invoke(rendered, 'note', '{}', { session });
    expect([one, two, three, four].map(({ text }) => text)).toEqual(['1', '2', '3', '4']);
    expect(
      session
        .slice(Note)
        .all()
        .map(({ text }) => text)
        .slice(0, 3),
    ).toEqual(['a', 'b', 'c']);
  });

  test('without a session each call has a new, empty one; the calls of one turn share it', async () => {
    const { app, rendered } = await noting();
    expect((await app.invoke(rendered, 'note', {})).text).toBe('1');
    const calls = ['a', 'b'].map((id) => ({ id, name: 'note', arguments: {} }));
    expect((await app.callTools(rendered, calls)).map(({ text }) => text)).toEqual(['1', '2']);
  });

  test('evaluate renders with the session of the run', async () => {
    const aware = defineSection({
      key: 's',
      title: 'S',
      renderBody: ({ session }) => `${session.slice(Note).all().length} notes.`,
    });
    const type = definePrompt({ ns: 'n', key: 'k', sections: [aware], heading: 'plain' });
    const app = await createApplication({ prompts: [type] });
    const session = new Session();
    session.dispatch(new Note('a'));
    const ids: string[] = [];
    app.eventBus.subscribe(PromptExecuted, ({ sessionId }) => {
      ids.push(sessionId);
    });
    const adapter = new ScriptedModel([{ text: 'Hello.' }]);
    const { transcript } = await app.evaluate(app.prompt(type), { adapter, session });
    expect(transcript[0]?.content).toBe('## S\n\n1 notes.');
    expect(ids).toEqual([session.id]);
  });
});

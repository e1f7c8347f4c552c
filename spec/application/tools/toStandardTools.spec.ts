import {
  Budget,
  BudgetTracker,
  createApplication,
  Param,
  Prompt,
  Section,
  Session,
  Tool,
  ToolContext,
  VisibilityExpansionRequired,
  type Application,
  type RenderedPrompt,
} from 'toolwright';
import { ToolInvoked } from 'toolwright/events';
import { toStandardTools, type OwnLoopOptions, type StandardTool } from 'toolwright/own-loop';
import { rejectionOf, thrownBy } from '../../../packages/openai/spec/support/thrownBy';
import { silent } from '../../support/silent';

class Noted {
  constructor(readonly text: string) {}
}

interface Desk {
  readonly app: Application;
  readonly rendered: RenderedPrompt;
  readonly events: ToolInvoked[];
  readonly open: () => void;
  tool(name: string, options?: OwnLoopOptions): StandardTool;
}

/** An application with a tool that waits until `open` is called, and a section that is summarised. */
async function openDesk(): Promise<Desk> {
  class NoteParams {
    @Param('What to note') text!: string;
  }
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  @Section({ title: 'Notes', template: 'Note what you are told.' })
  class Notes {
    @Tool('Note a text.')
    note({ text }: NoteParams, context: ToolContext): string {
      context.session.dispatch(new Noted(text));
      return `${String(context.session.slice(Noted).all().length)} notes`;
    }

    @Tool('Wait.')
    async wait(): Promise<string> {
      await gate;
      return 'Waited.';
    }
  }
  @Section({ title: 'Manual', template: 'All of it.', summary: 'How it works.', visibility: 'summary' })
  class Manual {}
  @Prompt({ ns: 'own', key: 'desk', sections: [Notes, Manual] })
  class NotesDesk {}
  const app = await createApplication({ prompts: [NotesDesk], logger: silent });
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => {
    events.push(event);
  });
  const rendered = await app.prompt(NotesDesk).render();
  return {
    app,
    rendered,
    events,
    open: () => open(),
    tool: (name, options) => {
      const found = toStandardTools(app, rendered, options).find((tool) => tool.name === name);
      if (found === undefined) throw new TypeError(`no tool ${name}`);
      return found;
    },
  };
}

describe('toStandardTools', () => {
  test('toStandardTools returns the tools of the rendering, in their order, with descriptions', async () => {
    const { app, rendered } = await openDesk();
    const tools = toStandardTools(app, rendered);
    expect(tools.map(({ name, description }) => [name, description])).toEqual(
      rendered.tools.map(({ name, description }) => [name, description]),
    );
    expect(tools.map(({ name }) => name)).toEqual(['note', 'wait', 'open_sections']);
  });

  test('toStandardTools says what a tool takes in both dialects, and refuses any other with E215', async () => {
    const { rendered, tool } = await openDesk();
    const { jsonSchema } = tool('note').inputSchema['~standard'];
    expect(jsonSchema.input({ target: 'draft-2020-12' })).toEqual(rendered.tool('note')?.schema);
    expect(jsonSchema.output({ target: 'draft-07' })).toEqual(rendered.tool('note')?.schema);
    expect(thrownBy(() => jsonSchema.input({ target: 'openapi-3.0' })).message).toMatch(/^E215 note: /);
  });

  test('toStandardTools accepts all arguments in its schema: the call reports wrong ones to the model, and publishes its event', async () => {
    const { tool, events } = await openDesk();
    const note = tool('note');
    expect(note.inputSchema['~standard'].validate({ text: 7 })).toEqual({ value: { text: 7 } });
    for (const wrong of [{ text: 7 }, '{"text":', 'null', [], 7, true, undefined, null]) {
      const { kind, text } = await note.execute(wrong);
      expect({ wrong, kind }).toEqual({ wrong, kind: 'rejected' });
      expect(text).toContain('note');
    }
    expect(events.map(({ kind }) => kind)).toEqual(Array.from({ length: 8 }, () => 'rejected'));
  });

  test('toStandardTools takes arguments as an object and as JSON text, and makes an id where the loop has none', async () => {
    const { tool, events } = await openDesk();
    const note = tool('note');
    await note.execute({ text: 'a' });
    await note.execute('{"text":"b"}', { callId: 'mine' });
    expect(events.map(({ kind }) => kind)).toEqual(['succeeded', 'succeeded']);
    expect(events[1]?.callId).toBe('mine');
    expect(events[0]?.callId).toMatch(/./);
  });

  test('toStandardTools keeps one session for all of its calls, where none is given', async () => {
    const { app, rendered } = await openDesk();
    const [note] = toStandardTools(app, rendered);
    await note?.execute({ text: 'a' });
    expect((await note?.execute({ text: 'b' }))?.text).toBe('2 notes');
    const [other] = toStandardTools(app, rendered);
    expect((await other?.execute({ text: 'c' }))?.text).toBe('1 notes');
  });

  test('toStandardTools spends one budget with all of its calls, and throws E704 from the call that would exceed it', async () => {
    const { tool, events } = await openDesk();
    const heard: unknown[] = [];
    const note = tool('note', { budget: new Budget({ maxToolCalls: 2 }), onLeave: (error) => heard.push(error) });
    expect((await note.execute({ text: 'a' })).kind).toBe('succeeded');
    expect((await note.execute({ text: 'b' })).kind).toBe('succeeded');
    const error = await rejectionOf(note.execute({ text: 'c' }));
    expect(error).toMatchObject({ code: 'E704', phase: 'budget' });
    expect(error.message).toContain('2 were used');
    expect(heard).toEqual([error]);
    expect(events).toHaveLength(2);
  });

  test('toStandardTools counts with a tracker that the loop spends from as well', async () => {
    const { tool, events } = await openDesk();
    const budget = new BudgetTracker(new Budget({ maxTotalTokens: 100 }));
    const note = tool('note', { budget });
    await note.execute({ text: 'a' });
    expect(budget.toolCalls).toBe(1);
    budget.record('mine', { totalTokens: 101 });
    await expect(note.execute({ text: 'b' })).rejects.toMatchObject({ code: 'E704' });
    expect(events).toHaveLength(1);
  });

  test('a call that is given up while it waits for another never begins', async () => {
    const { app, rendered, events, open } = await openDesk();
    const session = new Session();
    const tools = new Map(toStandardTools(app, rendered, { session }).map((tool) => [tool.name, tool]));
    const stop = new AbortController();
    const waiting = tools.get('wait')?.execute({});
    const noted = tools.get('note')?.execute({ text: 'late' }, { signal: stop.signal });
    const rejected = expect(noted).rejects.toBe('too late');
    stop.abort('too late');
    open();
    await rejected;
    expect((await waiting)?.text).toBe('Waited.');
    expect(session.slice(Noted).all()).toEqual([]);
    expect(events.map(({ name }) => name)).toEqual(['wait']);
  });

  test('the signal of the loop and that of the call both end a call', async () => {
    const { tool } = await openDesk();
    const loop = new AbortController();
    const wait = tool('wait', { signal: loop.signal });
    const own = new AbortController();
    const first = wait.execute({}, { signal: own.signal });
    own.abort('of the call');
    await expect(first).rejects.toBe('of the call');
    const second = wait.execute({}, { signal: new AbortController().signal });
    loop.abort('of the loop');
    await expect(second).rejects.toBe('of the loop');
  });

  test('onLeave is called with an error that propagates from a call, which is thrown unchanged', async () => {
    const { tool } = await openDesk();
    const heard: unknown[] = [];
    const opens = tool('open_sections', { onLeave: (error) => heard.push(error) });
    const thrown: unknown = await opens
      .execute({ section_keys: ['manual'], reason: 'To know.' })
      .catch((error: unknown) => error);
    expect(thrown instanceof VisibilityExpansionRequired).toBe(true);
    expect(heard).toEqual([thrown]);
  });

  test('a listener that throws does not take the place of what left', async () => {
    const { tool } = await openDesk();
    const opens = tool('open_sections', {
      onLeave: () => {
        throw new RangeError('not now');
      },
    });
    await expect(opens.execute({ section_keys: ['manual'], reason: 'To know.' })).rejects.toBeInstanceOf(
      VisibilityExpansionRequired,
    );
  });

  test('once the application is closed, calls are refused with E410', async () => {
    const { app, tool } = await openDesk();
    const note = tool('note');
    await app.close();
    await expect(note.execute({ text: 'a' })).rejects.toMatchObject({ code: 'E410' });
  });

  test('toStandardTools refuses what is no application and no rendering with E722, saying what came', async () => {
    const { app, rendered } = await openDesk();
    const refusal = (given: unknown, of: unknown): string =>
      thrownBy(() => toStandardTools(given as Application, of as RenderedPrompt)).message;
    expect(refusal(app, undefined)).toMatch(/^E722 toStandardTools: expected a rendering.* got undefined/);
    expect(refusal(app, Promise.resolve(rendered))).toContain('a promise that was not awaited');
    expect(refusal(app, { tools: [] })).toContain('got an object');
    expect(refusal(null, rendered)).toContain('expected an application as the first argument, got null');
    expect(refusal(rendered, app)).toContain('expected an application as the first argument');
  });
});

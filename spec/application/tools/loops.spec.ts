import {
  createApplication,
  Param,
  Prompt,
  Section,
  Session,
  Tool,
  ToolContext,
  type Application,
  type RenderedPrompt,
} from 'toolwright';
import { ToolInvoked } from 'toolwright/events';
import { loops, type LoopCall } from '../../../packages/ai-sdk/spec/support/loops';
import { silent } from '../../support/silent';

class Noted {
  constructor(readonly text: string) {}
}

interface Desk {
  readonly app: Application;
  readonly rendered: RenderedPrompt;
  readonly session: Session;
  readonly events: ToolInvoked[];
}

/** An application whose tools write, read, and fail after they have written. */
async function openDesk(): Promise<Desk> {
  class NoteParams {
    @Param('What to note') text!: string;
    @Param('How often') times = 1;
  }
  @Section({ title: 'Notes', template: 'Note what you are told.' })
  class Notes {
    @Tool('Note a text.')
    async note({ text, times }: NoteParams, context: ToolContext): Promise<string> {
      const before = context.session.slice(Noted).all().length;
      await new Promise((resolve) => setImmediate(resolve));
      for (let each = 0; each < times; each++) context.session.dispatch(new Noted(text));
      return `${text}, after ${String(before)}`;
    }

    @Tool({ description: 'How many there are.', hints: { readOnly: true } })
    count(context: ToolContext): string {
      return `${String(context.session.slice(Noted).all().length)} notes`;
    }

    @Tool('Note a text, and fail.')
    spill({ text }: NoteParams, context: ToolContext): string {
      context.session.dispatch(new Noted(text));
      throw new RangeError('The ink ran out.');
    }
  }
  @Prompt({ ns: 'loops', key: 'desk', sections: [Notes] })
  class NotesDesk {}
  const app = await createApplication({ prompts: [NotesDesk], logger: silent });
  const session = new Session();
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => {
    events.push(event);
  });
  return { app, session, events, rendered: await app.prompt(NotesDesk).render({ session }) };
}

function told({ session, events }: Desk, texts: readonly string[]): unknown {
  return {
    texts,
    notes: session
      .slice(Noted)
      .all()
      .map(({ text }) => text),
    events: events.map(({ name, kind, callId }) => `${callId}: ${name} ${kind}`),
  };
}

const call = (id: string, name: string, args: object): LoopCall => ({ id, name, arguments: JSON.stringify(args) });

const turns: Readonly<Record<string, readonly LoopCall[]>> = {
  'a call': [call('a', 'note', { text: 'tea' })],
  'a call that fails': [call('a', 'spill', { text: 'milk' })],
  'wrong arguments': [call('a', 'note', { text: 7, times: 'often' }), call('b', 'note', {})],
  'calls at once': [
    call('a', 'note', { text: 'one' }),
    call('b', 'note', { text: 'two', times: 2 }),
    call('c', 'count', {}),
    call('d', 'count', {}),
    call('e', 'spill', { text: 'three' }),
    call('f', 'note', { text: 'four' }),
  ],
};

describe.each(Object.entries(loops).filter(([name]) => name !== 'direct'))('the loop %s', (_name, loop) => {
  test.each(Object.entries(turns))('a loop does with %s what the application does', async (_what, calls) => {
    const own = await openDesk();
    const expected = told(own, await loops.direct(own.app, own.rendered, calls, { session: own.session }));
    const desk = await openDesk();
    const texts = await loop(desk.app, desk.rendered, calls, { session: desk.session });
    expect(told(desk, texts)).toEqual(expected);
  });
});

test('the application itself gives the results that the loops are compared with', async () => {
  const desk = await openDesk();
  const texts = await loops.direct(desk.app, desk.rendered, turns['calls at once'] ?? [], { session: desk.session });
  expect(told(desk, texts)).toEqual({
    texts: [
      'one, after 0',
      'two, after 1',
      '3 notes',
      '3 notes',
      expect.stringContaining('The ink ran out.'),
      'four, after 3',
    ],
    notes: ['one', 'two', 'two', 'four'],
    events: [
      'a: note succeeded',
      'b: note succeeded',
      'c: count succeeded',
      'd: count succeeded',
      'e: spill failed',
      'f: note succeeded',
    ],
  });
});

import {
  bind,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  SliceOps,
  ToolRefusal,
  ToolResult,
  ToolValidationError,
  type ToolContext,
  type ToolHints,
  type Transactional,
} from 'toolwright';
import { deskOf, Note, UNTOUCHED } from './desk';

const boom = new Error('boom');

describe('a call whose commit failed in the middle', () => {
  class Half implements Transactional<Half> {
    written = false;

    begin(): Half {
      return new Half();
    }

    changed(): boolean {
      return true;
    }

    commit(): Promise<void> {
      return Promise.reject(boom);
    }
  }

  test.each<[name: string, hints: ToolHints]>([
    ['idempotent', { idempotent: true }],
    ['of a closed world', { openWorld: false }],
  ])(
    'a call whose commit failed in the middle has an unknown effect and is not tried again, also if its tool is %s',
    async (_name, hints) => {
      let runs = 0;
      const act = defineTool({
        name: 'act',
        description: 'Acts.',
        hints,
        retry: { attempts: 3, backoffMs: 0 },
        handler: (_params: unknown, { resources }: ToolContext) => {
          runs++;
          resources.get(Half).written = true;
        },
      });
      const desk = await deskOf([act], { resources: [bind(Half, { value: new Half() })] });
      const outcome = await desk.call('act');
      expect(outcome).toMatchObject({ kind: 'failed', effect: 'unknown', rolledBack: false, error: boom });
      expect(desk.events).toMatchObject([{ kind: 'failed', effect: 'unknown', rolledBack: false }]);
      expect([runs, desk.state()]).toEqual([1, UNTOUCHED]);
    },
  );
});

describe('a call in whose middle the state was changed from outside', () => {
  const meddling = async (end: () => unknown, more: { readonly timeoutMs?: number } = {}) => {
    let runs = 0;
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        hints: { idempotent: true },
        ...more,
        handler: (_params: unknown, { session }: ToolContext) => {
          session.dispatch(new Note('mine'));
          if (runs++ === 0) desk.session.dispatch(new Note('outside'));
          return end();
        },
      }),
    ]);
    return { outcome: await desk.call('act'), runs, notes: desk.state().notes };
  };

  test.each<[how: string, end: () => unknown]>([
    ['returns a failure', () => ToolResult.error('No.')],
    [
      'throws',
      () => {
        throw new ToolRefusal('No.');
      },
    ],
  ])(
    'a call in whose middle the state was changed from outside is tried once more if its handler %s, even if it only wrote',
    async (_how, end) => {
      const { outcome, runs, notes } = await meddling(end);
      expect(outcome).toMatchObject({ kind: 'failed', text: 'No.' });
      expect([runs, notes]).toEqual([2, ['first', 'outside']]);
    },
  );

  test('a call that timed out stays timed out when the state was changed from outside', async () => {
    const { outcome, runs, notes } = await meddling(() => new Promise(() => undefined), { timeoutMs: 5 });
    expect(outcome).toMatchObject({ kind: 'timed_out', effect: 'keyed' });
    expect([runs, notes]).toEqual([1, ['first', 'outside']]);
  });
});

describe('the params of a call', () => {
  class Line {
    @Param('Text') text!: string;
  }

  test('the params of a call are shown to feedback as they were sent, also where nothing listens to events', async () => {
    const seen: unknown[] = [];
    const provide = ({ params }: { readonly params: unknown }): undefined => {
      seen.push((params as Line).text);
    };
    const write = defineTool({
      name: 'write',
      description: 'Writes.',
      params: Line,
      feedback: [{ name: 'house', trigger: { everyCalls: 1 }, provide }],
      handler: (params) => {
        params.text = 'changed';
      },
    });
    const section = defineSection({ key: 'desk', title: 'Desk', tools: [write] });
    const prompt = definePrompt({ ns: 'spec', key: 'quiet', sections: [section] });
    const app = await createApplication({ prompts: [prompt] });
    await app.invoke(await app.prompt(prompt).render(), 'write', { text: 'sent' });
    expect(seen).toEqual(['sent']);
  });

  test('the params of a call are read once more for the event where they cannot be copied', async () => {
    class Counted {
      #reads = 0;
      @Param('Text') text!: string;

      read(): string {
        return `${this.text} ${String(++this.#reads)}`;
      }
    }
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      params: Counted,
      handler: (params) => {
        const said = params.read();
        params.text = 'changed';
        return said;
      },
    });
    const desk = await deskOf([act]);
    expect((await desk.call('act', { text: 'sent' })).text).toBe('sent 1');
    const [event] = desk.events;
    expect(event?.params).toBeInstanceOf(Counted);
    expect((event?.params as Counted).read()).toBe('sent 1');
  });
});

describe('the outcome of a failed call for the host', () => {
  test('the outcome of a failed call has kind, result, text, error and effect, and no reason, which is for programs', async () => {
    const fail = defineTool({
      name: 'fail',
      description: 'Fails.',
      handler: () => {
        throw boom;
      },
    });
    const desk = await deskOf([fail]);
    const outcome = await desk.call('fail');
    const { result, text } = outcome;
    expect(outcome).toStrictEqual({ kind: 'failed', result, text, error: boom, effect: 'unknown' });
    for (const absent of ['rolledBack', 'repairs', 'approved', 'expansion', 'parts'])
      expect(desk.events[0]).not.toHaveProperty(absent);
  });

  test('a failed call in which nothing was thrown is logged without an error', async () => {
    const asks = defineTool({ name: 'asks', description: 'Asks.', requiresApproval: true, handler: () => 'done' });
    const desk = await deskOf([asks]);
    await desk.call('asks');
    const message = 'An approval is needed, and createApplication was given no approver; the call is denied';
    expect(desk.logged).toStrictEqual([{ level: 'error', message, fields: { tool: 'asks' } }]);
  });
});

test('a text that a handler returns is no event, even where texts have a reducer', async () => {
  const say = defineTool({ name: 'say', description: 'Says.', handler: () => 'hello' });
  const desk = await deskOf([say]);
  desk.session.slice(Note).register(String, (_view, text) => SliceOps.append(new Note(String(text))));
  expect(await desk.call('say')).toMatchObject({ kind: 'succeeded', text: 'hello' });
  expect(desk.state().notes).toEqual(['first']);
});

test.each<[name: string, hints: ToolHints, left: string]>([
  ['of a closed world', { openWorld: false }, 'Nothing was done.'],
  [
    'idempotent',
    { idempotent: true },
    'Its changes here were undone; if it had an effect elsewhere, the same call adds no further one.',
  ],
  ['neither', {}, 'Its changes here were undone; whether it had an effect elsewhere is not known.'],
])('a handler that refuses its arguments tells the model what it may have done: %s', async (_name, hints, left) => {
  const act = defineTool({
    name: 'act',
    description: 'Acts.',
    hints,
    handler: () => {
      throw new ToolValidationError('The order is closed.');
    },
  });
  expect((await (await deskOf([act])).call('act')).text).toBe(
    `The arguments of act were not accepted:\n- arguments: The order is closed.\n${left} Call it again with corrected arguments.`,
  );
});

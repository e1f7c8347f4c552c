import { setTimeout as sleep } from 'node:timers/promises';
import { Deadline, defineTool, Field, Param, Session, type ToolContext, ToolResult } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { allow, type CallContext, type ParsedCall, type ToolPolicy } from 'toolwright/policies';
import { ScriptedModel } from 'toolwright/testing';
import { logOf, reopened } from '../support/reopened';
import { deskOf, Ledger, Note, rejection, UNTOUCHED, writeBoth, type Desk } from './desk';

class Mark {
  @Field('Tool') readonly tool: string;
  constructor(tool: string) {
    this.tool = tool;
  }
}

/** Records every successful call; denies none unless told so. */
const marking = (appliesTo = false): ToolPolicy => ({
  name: 'marking',
  appliesTo: () => appliesTo,
  check: () => allow,
  onResult: ({ tool }, _result, { session }) => {
    session.dispatch(new Mark(tool.name));
  },
});
const hearing = (onResult: NonNullable<ToolPolicy['onResult']>): ToolPolicy => ({
  name: 'hearing',
  check: () => allow,
  onResult,
});

const marksOf = ({ session }: Desk): readonly string[] =>
  session
    .slice(Mark)
    .all()
    .map(({ tool }) => tool);

const acting = (
  name: string,
  policies: readonly ToolPolicy[],
  handler: (context: ToolContext) => unknown,
  readOnly = false,
) =>
  defineTool({
    name,
    description: 'Acts.',
    hints: { readOnly },
    policies,
    handler: (_params: unknown, context: ToolContext) => handler(context),
  });

describe('notes of a policy about a successful call', () => {
  test('notes of a policy about a successful call are committed with the call', async () => {
    const desk = await deskOf([
      acting('act', [marking()], (context) => {
        writeBoth(context, 'act');
      }),
    ]);
    await desk.call('act');
    expect(marksOf(desk)).toEqual(['act']);
    expect(desk.state().notes).toEqual(['first', 'act']);
  });

  test.each<[name: string, handler: (context: ToolContext) => unknown]>([
    ['is denied', () => 'never'],
    ['fails', () => ToolResult.error('no')],
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
  ])('a policy notes nothing of a call that %s', async (name, handler) => {
    const denying: ToolPolicy = { name: 'denying', check: () => ({ allowed: name !== 'is denied', reason: 'no' }) };
    const desk = await deskOf([acting('act', [marking(), denying], handler)]);
    expect((await desk.call('act')).result.success).toBe(false);
    expect(marksOf(desk)).toEqual([]);
  });

  test('a policy notes nothing of a call whose result does not fit its declaration', async () => {
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      result: Number,
      policies: [marking()],
      handler: () => 'three' as unknown as number,
    });
    const desk = await deskOf([tool]);
    expect((await desk.call('act')).kind).toBe('failed');
    expect(marksOf(desk)).toEqual([]);
  });

  test('a policy sees what the handler has done, its result, and the params as they came', async () => {
    class Text {
      @Param('Text') text!: string;
    }
    let seen: unknown;
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      params: Text,
      policies: [
        hearing(({ params }, { value }, { session }) => {
          seen = [(params as Text).text, value, session.slice(Note).all().length];
        }),
      ],
      handler: (params: Text, context: ToolContext) => {
        params.text = 'changed';
        context.session.dispatch(new Note('act'));
        return 3;
      },
    });
    const desk = await deskOf([tool]);
    await desk.call('act', { text: 'as sent' });
    expect(seen).toEqual(['as sent', 3, 2]);
  });

  test('the note of a policy on a successful call comes before the value reaches its slice', async () => {
    class Total {
      constructor(readonly value: number) {}
    }
    let seen: number | undefined;
    const tool = acting(
      'act',
      [
        hearing((_call, _result, { session }) => {
          seen = session.slice(Total).all().length;
        }),
      ],
      () => new Total(3),
    );
    const desk = await deskOf([tool]);
    desk.session.install(Total);
    await desk.call('act');
    expect(seen).toBe(0);
    expect(desk.session.slice(Total).latest()?.value).toBe(3);
  });
});

describe('a policy that cannot take note', () => {
  test.each<[name: string, onResult: () => Promise<void> | void]>([
    [
      'throws',
      () => {
        throw new Error('inner details');
      },
    ],
    ['rejects', () => Promise.reject(new Error('inner details'))],
    ['hangs', () => new Promise<void>(() => undefined)],
  ])(
    'a policy that cannot take note fails the call and rolls it back, in neutral words: %s',
    async (_name, onResult) => {
      const desk = await deskOf(
        [
          acting('act', [marking(), hearing(onResult)], (context) => {
            writeBoth(context, 'act');
          }),
        ],
        { limits: { policyMs: 20 } },
      );
      const outcome = await desk.call('act');
      expect(outcome).toMatchObject({ kind: 'failed', result: { success: false } });
      expect(outcome.text).toMatch(/policy hearing could not take note.*Its changes here were undone/);
      expect(outcome.text).not.toContain('inner details');
      expect(desk.state()).toEqual(UNTOUCHED);
      expect(marksOf(desk)).toEqual([]);
      expect(desk.events).toMatchObject([{ kind: 'failed' }]);
      expect(desk.logged).toContainEqual(
        expect.objectContaining({
          level: 'error',
          message: expect.stringMatching(/^Policy hearing .*rolled back$/) as string,
        }),
      );
    },
  );

  test('a policy that cannot take note until the deadline: the run ends, and the call is rolled back', async () => {
    const desk = await deskOf([
      acting('act', [hearing(() => new Promise<void>(() => undefined))], (context) => {
        writeBoth(context, 'act');
      }),
    ]);
    expect(await rejection(desk.call('act', {}, { deadline: Deadline.in(1_000) }))).toMatchObject({ code: 'E605' });
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('a late note of a policy is refused', async () => {
    const late: unknown[] = [];
    const desk = await deskOf(
      [
        acting(
          'act',
          [
            hearing(async (_call, _result, { session }) => {
              await sleep(40);
              try {
                session.dispatch(new Mark('late'));
              } catch (error) {
                late.push(error);
              }
            }),
          ],
          () => 'done',
        ),
      ],
      { limits: { policyMs: 10 } },
    );
    expect((await desk.call('act')).kind).toBe('failed');
    await sleep(80);
    expect(late).toMatchObject([{ code: 'E602' }]);
    expect(marksOf(desk)).toEqual([]);
  });
});

describe('of read-only calls', () => {
  const look = (name: string, milliseconds = 0, policies = [marking()]) =>
    acting(
      name,
      policies,
      async () => {
        if (milliseconds > 0) await sleep(milliseconds);
        return name;
      },
      true,
    );
  const calls = (...names: readonly string[]) => names.map((name, id) => ({ id: String(id), name, arguments: '{}' }));

  test('the note of a read-only call is kept: only the handler promises to write nothing', async () => {
    const desk = await deskOf([look('look')]);
    expect((await desk.call('look')).kind).toBe('succeeded');
    expect(marksOf(desk)).toEqual(['look']);
  });

  test('the handler still may not write', async () => {
    const desk = await deskOf([
      acting(
        'look',
        [marking()],
        ({ session }) => {
          session.dispatch(new Note('look'));
        },
        true,
      ),
    ]);
    expect((await desk.call('look')).kind).toBe('failed');
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(marksOf(desk)).toEqual([]);
  });

  test('a policy may not change a resource during read-only calls', async () => {
    const desk = await deskOf([
      acting(
        'look',
        [
          hearing((_call, _result, { resources }) => {
            resources.get(Ledger).write('by a policy');
          }),
        ],
        () => 'seen',
        true,
      ),
    ]);
    expect((await desk.call('look')).kind).toBe('failed');
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('notes of read-only calls that run together are all kept, in whatever order they end', async () => {
    const desk = await deskOf([look('slow', 30), look('fast'), look('middle', 10)]);
    const { session } = desk;
    const outcomes = await desk.app.callTools(desk.rendered, calls('slow', 'fast', 'middle', 'fast'), { session });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded']);
    expect([...marksOf(desk)].sort()).toEqual(['fast', 'fast', 'middle', 'slow']);
  });

  test('when one of several read-only calls fails, the policy notes of the others are kept', async () => {
    const failing = acting('failing', [marking()], async () => ToolResult.error('no'), true);
    const desk = await deskOf([look('look', 5), failing]);
    await desk.app.callTools(desk.rendered, calls('look', 'failing', 'look'), { session: desk.session });
    expect(marksOf(desk)).toEqual(['look', 'look']);
  });

  test('a read-only call that read and wrote conflicts with a change from outside, and runs once more', async () => {
    class Count {
      constructor(readonly value: number) {}
    }
    const counting = hearing(async (_call, _result, { session }: CallContext) => {
      const count = session.slice(Count).latest()?.value ?? 0;
      await sleep(10);
      session.slice(Count).seed(new Count(count + 1));
    });
    const desk = await deskOf([look('look', 0, [{ ...counting, appliesTo: () => false }])]);
    const { session } = desk;
    const outcomes = await desk.app.callTools(desk.rendered, calls('look', 'look'), { session });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['succeeded', 'succeeded']);
    expect(session.slice(Count).latest()?.value).toBe(2);
  });

  test('the note of a read-only call within another call is kept with it, and seen by the policies of the calls that follow', async () => {
    const seen: number[] = [];
    const watching: ToolPolicy = {
      name: 'watching',
      check: (_call: ParsedCall, { session }) => {
        seen.push(session.slice(Mark).all().length);
        return allow;
      },
    };
    const outerOf = (readOnly: boolean, fails: boolean) =>
      acting(
        `outer_${String(readOnly)}_${String(fails)}`,
        [],
        async (context) => {
          await context.callTool({ id: 'a', name: 'look', arguments: '{}' });
          await context.callTool({ id: 'b', name: 'look', arguments: '{}' });
          return fails ? ToolResult.error('no') : 'done';
        },
        readOnly,
      );
    const desk = await deskOf([
      look('look', 0, [marking(), watching]),
      ...[outerOf(true, false), outerOf(true, true), outerOf(false, false), outerOf(false, true)],
    ]);
    for (const [name, kept] of [
      ['outer_true_true', 0],
      ['outer_true_false', 2],
      ['outer_false_true', 2],
      ['outer_false_false', 4],
    ] as const) {
      await desk.call(name);
      expect([name, marksOf(desk).length]).toEqual([name, kept]);
    }
    expect(seen).toEqual([0, 1, 0, 1, 2, 3, 2, 3]);
  });

  test('notes within calls that run together are all kept', async () => {
    const outer = (name: string, milliseconds: number) =>
      acting(
        name,
        [],
        async (context) => {
          await sleep(milliseconds);
          await context.callTool({ id: 'a', name: 'look', arguments: '{}' });
          await sleep(milliseconds);
        },
        true,
      );
    const desk = await deskOf([look('look'), outer('one', 5), outer('two', 8), outer('three', 2)]);
    await desk.app.callTools(desk.rendered, calls('one', 'two', 'three'), { session: desk.session });
    expect(marksOf(desk)).toEqual(['look', 'look', 'look']);
  });
});

describe('the log of a conversation', () => {
  test.each([true, false])(
    'the log of a conversation holds the notes with the call (readOnly: %s)',
    async (readOnly) => {
      const tool = acting('look', [marking()], () => 'seen', readOnly);
      const desk = await deskOf([tool]);
      const session = new Session({ slices: [Mark] });
      const conversation = new Conversation();
      const call = { name: 'look', arguments: {} };
      const adapter = new ScriptedModel([{ toolCalls: [call, call] }, { text: 'Done.' }]);
      await desk.app.evaluate(desk.rendered, { adapter, session, conversation });
      const outcomes = logOf(conversation).filter(({ kind }) => kind === 'outcome');
      expect(outcomes).toMatchObject([{ session: {} }, {}]);
      const again = new Session({ slices: [Mark] });
      const next = {
        adapter: new ScriptedModel([{ text: 'Yes?' }]),
        session: again,
        messages: [{ role: 'user', content: 'Hello.' } as const],
      };
      await desk.app.evaluate(desk.rendered, { ...next, conversation: reopened(conversation) });
      expect(again.slice(Mark).all()).toEqual(session.slice(Mark).all());
      expect(again.slice(Mark).all()).toHaveLength(2);
    },
  );
});

import { defineTool, Param, PromptEvaluationError, type ToolContext, ToolRefusal, ToolResult } from 'toolwright';
import type { InterceptedToolCall, Interceptor } from 'toolwright/policies';
import { deskOf, Note, rejection, type Desk } from '../desk';

class TextParams {
  @Param('Text') text!: string;
  @Param({ description: 'A key', secret: true, optional: true }) key?: string;
}

const note = defineTool({
  name: 'note',
  description: 'Notes.',
  params: TextParams,
  handler: ({ text, key }: TextParams, context: ToolContext) => {
    context.session.dispatch(new Note(text));
    if (text === 'leave') throw new PromptEvaluationError('Out.', { phase: 'tool' });
    return ToolResult.ok(`${text} ${key ?? ''}`);
  },
});

const deskWith = (...interceptors: readonly Interceptor[]) => deskOf([note], { interceptors });

/** The log lines about interceptors. */
const blamed = ({ logged }: Desk): readonly string[] =>
  logged
    .filter(({ message }) => message.startsWith('An interceptor'))
    .map(({ level, message }) => `${level} ${message}`);

describe('interceptors around calls', () => {
  test('interceptors see each call from when it is received to its outcome, also one that never reaches a handler', async () => {
    const told: string[] = [];
    const layer = (name: string): Interceptor => ({
      aroundCall: async ({ call, tool, turn, caller, prompt }, next) => {
        told.push(`${name} ${call.name} ${String(tool?.name)} ${String(turn)} ${caller} ${prompt.key}`);
        const { kind } = await next();
        told.push(`${name} ${kind}`);
      },
      aroundTool: async (_call, next) => {
        told.push(`${name} handler`);
        await next();
      },
    });
    const desk = await deskWith(layer('a'), layer('b'));
    await desk.call('note', { text: 'x' });
    expect(told.splice(0)).toEqual([
      ...['a note note 1 direct desk', 'b note note 1 direct desk', 'a handler', 'b handler'],
      ...['b succeeded', 'a succeeded'],
    ]);
    await desk.call('note', { wrong: 1 });
    await desk.call('nothing', {});
    expect(told).toEqual([
      ...['a note note 1 direct desk', 'b note note 1 direct desk', 'b rejected', 'a rejected'],
      ...['a nothing undefined 1 direct desk', 'b nothing undefined 1 direct desk', 'b unknown', 'a unknown'],
    ]);
  });

  test.each<[string, NonNullable<Interceptor['aroundCall']>, readonly string[]]>([
    [
      'throw before',
      async () => {
        throw new ToolRefusal('Not on Sundays.');
      },
      ['error An interceptor around note failed: Not on Sundays.'],
    ],
    [
      'throw after',
      async (_arrival, next) => {
        await next();
        throw new Error('late');
      },
      ['error An interceptor around note failed: late'],
    ],
    ['do not go on', async () => undefined, []],
    ['go on twice', async (_arrival, next) => Promise.all([next(), next()]), []],
    ['give another outcome', async (_arrival, next) => next().then(() => 'other'), []],
  ])('interceptors around calls only observe, also those that %s', async (_what, aroundCall, said) => {
    const desk = await deskWith({ aroundCall });
    expect(await desk.call('note', { text: 'x' })).toMatchObject({ kind: 'succeeded' });
    expect(desk.state().notes).toEqual(['first', 'x']);
    expect(blamed(desk)).toEqual(said);
    for (const { message, fields } of desk.logged)
      expect(message).toContain((fields?.['error'] as Error | undefined)?.message);
  });

  test('interceptors see an error that propagates from the call, and are not blamed for it', async () => {
    const heard: unknown[] = [];
    const aroundCall: NonNullable<Interceptor['aroundCall']> = async (_arrival, next) => {
      await next().catch((error: unknown) => {
        heard.push(error);
        throw error;
      });
    };
    const desk = await deskWith({ aroundCall });
    const left = await rejection(desk.call('note', { text: 'leave' }));
    expect(left).toMatchObject({ message: 'Out.' });
    expect(heard).toEqual([left]);
    expect(blamed(desk)).toEqual([]);
  });

  test('interceptors around calls get the texts of a call as they are where it has nothing to hide', async () => {
    const arrivals: InterceptedToolCall[] = [];
    const ping = defineTool({ name: 'ping', description: 'Answers.', handler: () => 'pong' });
    const desk = await deskOf([ping], {
      interceptors: [{ aroundCall: async (incoming, next) => next().finally(() => arrivals.push(incoming)) }],
    });
    await desk.call('ping');
    expect(arrivals[0]?.secrets?.()).toEqual([]);
    expect(arrivals[0]?.recorded('inner')).toBe('inner');
  });

  test('interceptors around calls get the call and its texts as they may be recorded', async () => {
    const arrivals: InterceptedToolCall[] = [];
    const desk = await deskOf([note], {
      interceptors: [{ aroundCall: async (incoming, next) => next().finally(() => arrivals.push(incoming)) }],
      redact: (text) => text.replace('inner', '…'),
    });
    await desk.call('note', { text: 'inner', key: 'abcdefgh' });
    const [incoming] = arrivals;
    expect(incoming?.call.arguments).toMatchObject({ text: 'inner', key: 'abcdefgh' });
    expect(incoming?.recordedCall()).toMatchObject({ name: 'note', arguments: { text: '…', key: '[secret]' } });
    expect(incoming?.recorded('inner abcdefgh outer')).toBe('… [secret] outer');
    expect(incoming?.secrets?.()).toEqual(['abcdefgh']);
    expect(incoming?.sessionId).toBe(desk.session.id);
  });
});

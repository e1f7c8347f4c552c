import { defineTool, Param, type ToolContext, ToolRefusal, ToolResult } from 'toolwright';
import { allow, type Interceptor, type ToolPolicy } from 'toolwright/policies';
import { rehearse } from 'toolwright/own-loop';
import { deskOf, Note, rejection, UNTOUCHED, writeBoth } from './desk';

class TextParams {
  @Param('Text') text!: string;
}

const note = defineTool({
  name: 'note',
  description: 'Notes.',
  params: TextParams,
  handler: ({ text }: TextParams, context: ToolContext) => {
    context.session.dispatch(new Note(text));
    return ToolResult.ok(text);
  },
});

const deskWith = (...interceptors: readonly Interceptor[]) => deskOf([note], { interceptors });

describe('interceptors around tools', () => {
  test('interceptors and policies see the hints of a tool', async () => {
    const told: unknown[] = [];
    const policy: ToolPolicy = {
      name: 'writes',
      appliesTo: ({ hints }) => hints.readOnly !== true,
      check: ({ tool }) => {
        told.push(tool.hints);
        return allow;
      },
    };
    const hints = { openWorld: false, destructive: true };
    const [drop, read] = [
      defineTool({ name: 'drop', description: 'Drops.', hints, policies: [policy], handler: () => 'a' }),
      defineTool({
        name: 'read',
        description: 'Reads.',
        hints: { readOnly: true },
        policies: [policy],
        handler: () => 'a',
      }),
    ];
    const layer: Interceptor = {
      aroundCall: async ({ tool }, next) => (told.push(tool?.hints), next()),
      aroundTool: async ({ tool }, next) => (told.push(tool.hints), next()),
    };
    const desk = await deskOf([drop, read], { interceptors: [layer] });
    await desk.call('drop');
    await desk.call('read');
    expect(told).toEqual([hints, hints, hints, { readOnly: true }, { readOnly: true }]);
  });

  test('a rehearsal runs no interceptor, and lets a policy act on the result', async () => {
    const told: string[] = [];
    const policy: ToolPolicy = {
      name: 'records',
      check: () => allow,
      onResult: () => void told.push('policy'),
    };
    const hints = { openWorld: false };
    const act = defineTool({ name: 'act', description: 'Acts.', hints, policies: [policy], handler: () => 'a' });
    const layer: Interceptor = { aroundTool: async (_call, next) => (told.push('interceptor'), next()) };
    const desk = await deskOf([act], { interceptors: [layer] });
    await rehearse(desk.app, desk.rendered, { id: '1', name: 'act', arguments: {} }, { session: desk.session });
    expect(told).toEqual(['policy']);
  });

  test('interceptors wrap the handler, the first outermost', async () => {
    const told: string[] = [];
    const layer = (name: string): Interceptor => ({
      aroundTool: async ({ tool, call, context }, next) => {
        told.push(`${name} before ${tool.name} ${JSON.stringify(call.arguments)} ${String(context.call.attempt)}`);
        const result = await next();
        told.push(`${name} after ${String(result.value)}`);
      },
    });
    const desk = await deskWith(layer('a'), { aroundRun: async (_run, next) => next() }, layer('b'));
    expect(await desk.call('note', { text: 'x' })).toMatchObject({ kind: 'succeeded', text: 'x' });
    expect(told).toEqual(['a before note {"text":"x"} 1', 'b before note {"text":"x"} 1', 'b after x', 'a after x']);
  });

  test('a value that an interceptor returns or an error that it swallows changes nothing', async () => {
    const deaf: Interceptor = {
      aroundTool: async (_call, next) =>
        next()
          .then(() => ToolResult.ok('other'))
          .catch(() => 'fine'),
    };
    const desk = await deskWith(deaf);
    expect(await desk.call('note', { text: 'x' })).toMatchObject({ kind: 'succeeded', result: { value: 'x' } });
    const failing = await deskOf(
      [
        defineTool({
          name: 'fail',
          description: 'Fails.',
          handler: () => {
            throw new Error('boom');
          },
        }),
      ],
      { interceptors: [deaf] },
    );
    expect((await failing.call('fail', {})).kind).toBe('failed');
  });

  test('deny before the handler runs, with a reason that the model reads', async () => {
    const desk = await deskWith({
      aroundTool: async () => {
        throw new ToolRefusal('Not on Sundays.');
      },
    });
    expect(await desk.call('note', { text: 'x' })).toMatchObject({ kind: 'failed', text: 'Not on Sundays.' });
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('an interceptor that throws after next() rolls the call back', async () => {
    const desk = await deskWith({
      aroundTool: async (_call, next) => {
        await next();
        throw new ToolRefusal('Too much was written.');
      },
    });
    expect(await desk.call('note', { text: 'x' })).toMatchObject({ kind: 'failed', text: 'Too much was written.' });
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('an interceptor that does not wait for next() is waited for', async () => {
    const desk = await deskWith({ aroundTool: async (_call, next) => void next() });
    expect(await desk.call('note', { text: 'x' })).toMatchObject({ kind: 'succeeded', result: { value: 'x' } });
  });

  test('an interceptor around a tool sees what the call would change of resources', async () => {
    const seen: unknown[] = [];
    const write = defineTool({
      name: 'write',
      description: 'Writes.',
      handler: (_params: unknown, context: ToolContext) => writeBoth(context, 'second'),
    });
    const desk = await deskOf([write], {
      interceptors: [
        {
          aroundTool: async ({ changes }, next) => {
            seen.push(changes?.());
            await next();
            seen.push(changes?.());
          },
        },
      ],
    });
    await desk.call('write');
    expect(seen).toMatchObject([[], [{ name: 'Ledger' }]]);
  });

  test.each<[string, string, Interceptor]>([
    ['never calls next()', 'did not call next()', { aroundTool: async () => undefined }],
    ['calls next() twice', 'called next() twice', { aroundTool: async (_call, next) => Promise.all([next(), next()]) }],
  ])('an interceptor that %s ends the call with a code, and nothing is kept', async (_what, problem, interceptor) => {
    const desk = await deskWith(interceptor);
    expect(await rejection(desk.call('note', { text: 'x' }))).toMatchObject({
      code: 'E708',
      phase: 'tool',
      message: expect.stringContaining(`An interceptor around note ${problem}.`) as string,
    });
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('the time limit of the tool covers them as well', async () => {
    const slow = defineTool({ name: 'slow', description: 'Waits.', timeoutMs: 20, handler: () => 1 });
    const desk = await deskOf([slow], { interceptors: [{ aroundTool: async () => new Promise(() => undefined) }] });
    expect((await desk.call('slow', {})).kind).toBe('timed_out');
  });
});

import * as ours from 'toolwright';
import { defineTool, type ToolContext } from 'toolwright';
import { deskOf, rejection, UNTOUCHED, writeBoth } from './desk';

/** The package loaded a second time, as ESM and CommonJS do in one process: every class is another one. */
function secondCopy(): typeof ours {
  let copy: typeof ours | undefined;
  jest.isolateModules(() => {
    copy = jest.requireActual<typeof ours>('toolwright');
  });
  if (copy === undefined || copy.ToolResult === ours.ToolResult) throw new Error('the second copy is the first one');
  return copy;
}

const throwing = (make: (copy: typeof ours) => unknown) => {
  const thrown = make(secondCopy());
  return deskOf([
    defineTool({
      name: 'act',
      description: 'Acts.',
      handler: (_params: unknown, context: ToolContext) => {
        writeBoth(context, 'second');
        throw thrown;
      },
    }),
  ]);
};

describe('classes of a second copy of the package', () => {
  test('HAND-27 VisibilityExpansionRequired propagates from the dispatcher', async () => {
    const desk = await throwing(
      (copy) =>
        new copy.VisibilityExpansionRequired({ sectionKeys: ['a'], reason: 'r', requestedOverrides: { a: 'full' } }),
    );
    const error = await rejection(desk.call('act'));
    expect(error instanceof ours.VisibilityExpansionRequired).toBe(true);
    expect(desk.events).toMatchObject([{ kind: 'expanded' }]);
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('HAND-27 PromptEvaluationError propagates from the dispatcher', async () => {
    const desk = await throwing((copy) => new copy.PromptEvaluationError('nested', { phase: 'response' }));
    expect(await rejection(desk.call('act'))).toMatchObject({ phase: 'response' });
  });

  test('HAND-27 DeadlineExceededError propagates as a PromptEvaluationError of phase tool', async () => {
    const desk = await throwing((copy) => new copy.DeadlineExceededError());
    const error = await rejection(desk.call('act'));
    expect(error).toBeInstanceOf(ours.PromptEvaluationError);
    expect(error).toMatchObject({ phase: 'tool' });
  });

  test('HAND-27 ToolRefusal and ToolValidationError are recognised', async () => {
    const refused = await throwing((copy) => new copy.ToolRefusal('Too late.', { value: { since: 3 } }));
    expect(await refused.call('act')).toMatchObject({ text: 'Too late.\n\n{"since":3}' });
    const invalid = await throwing(
      (copy) =>
        new copy.ToolValidationError('Closed.', { issues: [{ kind: 'constraint', path: 'id', message: 'is closed' }] }),
    );
    expect((await invalid.call('act')).text).toContain('id: is closed');
  });

  test('HAND-27 ToolResult is a result, not a value', async () => {
    const copy = secondCopy();
    const desk = await deskOf([
      defineTool({ name: 'act', description: 'Acts.', handler: () => copy.ToolResult.error('No.') }),
    ]);
    expect(await desk.call('act')).toMatchObject({ kind: 'failed', text: 'No.' });
  });

  test('HAND-27 a session takes calls of this one', async () => {
    const session = new (secondCopy().Session)();
    const desk = await deskOf([
      defineTool({ name: 'act', description: 'Acts.', handler: (_params: unknown, context) => context.session.id }),
    ]);
    expect(await desk.call('act', {}, { session })).toMatchObject({
      text: session.id,
    });
  });
});

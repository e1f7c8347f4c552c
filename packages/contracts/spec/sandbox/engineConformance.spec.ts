import { EngineCheckError, engineChecks, engineConformance } from '@toolwright/contracts';
import { QuickJsSandbox, type Sandbox } from '@toolwright/programs';
import { VmSandbox } from './VmSandbox';

describe('engineChecks', () => {
  const sandbox = new QuickJsSandbox();
  afterAll(() => sandbox.close());

  test.each(engineChecks)('QuickJsSandbox meets the check: $name', ({ run }) => run(sandbox), 60_000);
});

/** The other checks would hang the process of such an engine, or end it. */
const noBoundary = [
  'names values that JSON cannot have',
  'throws a ToolError for a call that failed, and tells which call it was',
  'tells the line of an error, and no path of the host',
  'repeats random numbers and the time, when it is given them',
  'has no name of the host',
  'makes no code out of text',
  'reaches no host from what a tool gives, promises or throws',
  'changes nothing of the host',
  'counts tool calls',
  'counts tool calls that wait',
  'measures arguments',
  'measures the value of a program',
  'measures results',
  'cuts output, and goes on',
];

describe('E654', () => {
  test.each(noBoundary)('node:vm does not pass: %s', async (name) => {
    const found = engineChecks.find((check) => check.name === name);
    await expect(found?.run(new VmSandbox())).rejects.toMatchObject({ code: 'E654', place: 'node:vm' });
  });
});

describe('engineConformance', () => {
  test('engineConformance returns a verdict on every check, and closes each engine', async () => {
    let open = 0;
    const refusing = (): Sandbox => ({
      name: 'refusing',
      run: () => Promise.resolve({ kind: 'cancelled' }),
      close: async () => {
        open--;
      },
    });
    const verdicts = await engineConformance(() => (open++, refusing()));
    expect(verdicts.map(({ name }) => name)).toEqual(engineChecks.map(({ name }) => name));
    expect(verdicts.filter(({ fault }) => !(fault instanceof EngineCheckError)).map(({ name }) => name)).toEqual([
      'ends a program at the wish of the host',
    ]);
    expect(open).toBe(0);
  });
});

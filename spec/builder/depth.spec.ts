import {
  createApplication,
  Deadline,
  definePrompt,
  defineSection,
  defineTool,
  Session,
  type Clock,
  type Constructor,
  type ToolContext,
} from 'toolwright';
import { silentLogger } from '../conformance/declare/silentLogger';
import { deskOf, Ledger, Note, rejection } from '../dispatch/desk';

function tree(levels: number): Constructor {
  let section = defineSection({ key: `s${String(levels)}`, title: 'Last' });
  for (let level = levels - 1; level > 0; level--)
    section = defineSection({ key: `s${String(level)}`, title: 'Level', children: [section] });
  return section;
}

const appOf = (sections: readonly Constructor[]) =>
  createApplication({ prompts: [definePrompt({ ns: 'a', key: 'b', sections })], logger: silentLogger });

describe('TRACE-11 sections within sections', () => {
  test('TRACE-11 E316: 5,000 levels are refused with the limit and the place, beside other findings', async () => {
    const broken = defineSection({ key: 'Not legal!', title: 'X' });
    const error = await rejection(appOf([tree(5_000), broken]));
    expect(error).toMatchObject({ name: 'PromptValidationError' });
    const { message } = error as Error;
    expect(message).toMatch(/E316 s64: more than 64 levels of sections are nested/);
    expect(message).toMatch(/E302 Not legal!/);
    expect(message.length).toBeLessThan(2_000);
  });

  test('TRACE-11 64 levels are fine', async () => {
    await expect(appOf([tree(64)])).resolves.toBeDefined();
    expect(await rejection(appOf([tree(65)]))).toMatchObject({
      message: expect.stringContaining('E316') as string,
    });
  });
});

describe('TRACE-11 calls within calls', () => {
  const endless = (seen: string[]): Constructor =>
    defineTool({
      name: 'again',
      description: 'Calls itself.',
      handler: async (_params: unknown, context: ToolContext) => {
        context.session.dispatch(new Note(String(seen.length)));
        const { kind, text } = await context.callTool({ id: String(seen.length), name: 'again', arguments: {} });
        seen.push(`${kind} ${text}`);
        return kind;
      },
    });

  test('TRACE-11 E609: tools that call tools without end end after 64, and the innermost says so', async () => {
    const seen: string[] = [];
    const desk = await deskOf([endless(seen)]);
    const outcome = await desk.call('again');
    expect(outcome.kind).toBe('succeeded');
    expect(seen).toHaveLength(64);
    expect(seen[0]).toMatch(/^failed .*more than 64 calls stand within each other/);
    expect(seen[1]).toMatch(/^succeeded/);
    expect(desk.state().notes).toHaveLength(65);
    const failed = desk.events.find(({ kind }) => kind === 'failed');
    expect(failed?.error).toMatchObject({
      code: 'E609',
      message: expect.stringContaining('more than 64 calls stand within each other') as string,
    });
  });

  test('TRACE-11 nothing of what failed is committed', async () => {
    const tool = defineTool({
      name: 'again',
      description: 'Calls itself.',
      handler: async (_params: unknown, context: ToolContext) => {
        context.resources.get(Ledger).write('written');
        const { kind, text } = await context.callTool({ id: '1', name: 'again', arguments: {} });
        if (kind !== 'succeeded') throw new Error(text);
        return kind;
      },
    });
    const desk = await deskOf([tool]);
    expect((await desk.call('again')).kind).toBe('failed');
    expect(desk.state().lines).toEqual(['first']);
    expect(desk.events).toHaveLength(65);
  });
});

describe('TRACE-11 a clock that is set back', () => {
  class SetBack implements Clock {
    wall = 1_000_000;
    tick = 50;
    now(): number {
      return this.wall;
    }
    monotonic(): number {
      return this.tick;
    }
    sleep(): Promise<void> {
      return Promise.resolve();
    }
  }

  test('TRACE-11 lengthens no deadline, and one that is set forward shortens none', async () => {
    const clock = new SetBack();
    const deadline = Deadline.in(5_000, clock);
    expect(deadline).toMatchObject({ at: 1_005_000, startedAt: 1_000_000, remaining: 5_000, elapsed: 0 });
    clock.wall -= 3_600_000;
    clock.tick += 2_000;
    expect(deadline).toMatchObject({ remaining: 3_000, elapsed: 2_000, expired: false });
    clock.wall += 9_000_000;
    expect(deadline.expired).toBe(false);
    clock.wall = 0;
    clock.tick += 3_000;
    expect(deadline).toMatchObject({ remaining: 0, expired: true });
    const desk = await deskOf([defineTool({ name: 'act', description: 'Acts.', handler: () => 'done' })]);
    const error = await rejection(desk.call('act', {}, { deadline, session: new Session() }));
    expect(error).toMatchObject({ code: 'E605' });
  });
});

import { brief, planner } from './planner.js';

const long = 'x'.repeat(501);

/** Objective A with the steps a and b, or what the calls made of it. */
async function withPlan(...calls: readonly (readonly [tool: string, args: Record<string, unknown>])[]) {
  const desk = await planner();
  await desk.call('setup_plan', { objective: 'A', initial_steps: ['a', 'b'] });
  for (const [tool, args] of calls) await desk.call(tool, args);
  return desk;
}

const completed = () =>
  withPlan(['update_step', { step_id: 1, status: 'done' }], ['update_step', { step_id: 2, status: 'done' }]);

describe('refusals of planning tools', () => {
  test.each([
    ['update_step', { step_id: 1, status: 'done' }],
    ['add_step', { steps: ['x'] }],
    ['read_plan', {}],
  ])('%s without a plan says how to write one', async (tool, args) => {
    const { call, plans } = await planner();
    const { kind, text } = await call(tool, args);
    expect(kind).toBe('failed');
    expect(text).toBe('There is no plan yet. Write one with planning_setup_plan first.');
    expect(plans()).toEqual([]);
  });

  test.each([
    ['update_step', { step_id: 1, status: 'in_progress' }],
    ['update_step', { step_id: 1, title: 'again' }],
    ['add_step', { steps: ['x'] }],
  ])('PLAN-02 a completed plan takes no %s', async (tool, args) => {
    const { call, plans } = await completed();
    const { kind, text } = await call(tool, args);
    expect(kind).toBe('failed');
    expect(text).toMatch(/^The plan is completed and cannot be changed.*planning_setup_plan/);
    expect(plans().map(brief)).toEqual(['A (completed): 1 done a, 2 done b']);
  });

  test('PLAN-02 a completed plan can be read and replaced', async () => {
    const { call, plans } = await completed();
    expect((await call('read_plan')).kind).toBe('succeeded');
    expect((await call('setup_plan', { objective: 'B', initial_steps: ['q'] })).kind).toBe('succeeded');
    expect(plans().map(brief)).toEqual(['B (active): 1 pending q']);
  });

  test('PLAN-02 while the plan is active, any status may follow any other, also itself', async () => {
    const { call, plans } = await withPlan();
    const statuses = ['pending', 'in_progress', 'done'];
    for (const from of statuses) {
      for (const to of statuses) {
        await call('update_step', { step_id: 1, status: from });
        expect((await call('update_step', { step_id: 1, status: to })).kind).toBe('succeeded');
        expect(plans()[0]?.steps[0]?.status).toBe(to);
      }
    }
  });

  test('PLAN-02 an unknown status is an issue of the arguments that names the known ones', async () => {
    const { call, plans } = await withPlan();
    const { kind, text } = await call('update_step', { step_id: 1, status: 'finished' });
    expect(kind).toBe('rejected');
    expect(text).toMatch(/status.*"pending".*"in_progress".*"done"/);
    expect(plans().map(brief)).toEqual(['A (active): 1 pending a, 2 pending b']);
  });

  test.each([
    [0, 'There is no step 0. Steps are numbered from 1, and the last one is 2.'],
    [3, 'There is no step 3. Steps are numbered from 1, and the last one is 2.'],
    [-1, 'There is no step -1. Steps are numbered from 1, and the last one is 2.'],
    [9_007_199_254_740_991, 'There is no step 9007199254740991. Steps are numbered from 1, and the last one is 2.'],
  ])('an unknown step %d is refused with the existing ones', async (stepId, message) => {
    const { call, plans } = await withPlan();
    const { kind, text } = await call('update_step', { step_id: stepId, status: 'done' });
    expect({ kind, text }).toEqual({ kind: 'failed', text: message });
    expect(plans().map(brief)).toEqual(['A (active): 1 pending a, 2 pending b']);
  });

  test('in a plan without steps, the refusal says how to add some', async () => {
    const { call } = await planner();
    await call('setup_plan', { objective: 'A' });
    const { text } = await call('update_step', { step_id: 1, status: 'done' });
    expect(text).toBe('There is no step 1. The plan has no steps yet. Add some with planning_add_step.');
  });

  test.each(['', ' ', '\n\t', '\u00a0\u2003\ufeff'])(
    'the blank text %j is no objective and no title',
    async (blank) => {
      const { call, plans } = await withPlan();
      const objective = await call('setup_plan', { objective: blank });
      expect(objective).toMatchObject({
        kind: 'failed',
        text: expect.stringMatching(/^The objective is blank/) as unknown,
      });
      const first = await call('setup_plan', { objective: 'B', initial_steps: ['x', blank] });
      expect(first).toMatchObject({ kind: 'failed', text: expect.stringMatching(/^Title 2 of 2 is blank/) as unknown });
      const added = await call('add_step', { steps: [blank, 'x'] });
      expect(added).toMatchObject({ kind: 'failed', text: expect.stringMatching(/^Title 1 of 2 is blank/) as unknown });
      expect(plans().map(brief)).toEqual(['A (active): 1 pending a, 2 pending b']);
    },
  );

  test('a blank title of an update counts as not given', async () => {
    const { call, plans } = await withPlan();
    expect((await call('update_step', { step_id: 1, title: ' ' })).text).toMatch(/^Nothing to change was given/);
    expect((await call('update_step', { step_id: 1, title: ' ', status: 'done' })).kind).toBe('succeeded');
    expect(plans().map(brief)).toEqual(['A (active): 1 done a, 2 pending b']);
  });

  test('null for a title or a status is nothing given', async () => {
    const { call } = await withPlan();
    const { text } = await call('update_step', { step_id: 1, title: null, status: null });
    expect(text).toMatch(/^Nothing to change was given/);
  });

  test('500 characters are taken, 501 are not; white space around them and surrogate pairs count as readers do', async () => {
    const { call, plans } = await withPlan();
    for (const text of ['x'.repeat(500), ` ${'x'.repeat(500)}\n`, '🚀'.repeat(500)]) {
      expect((await call('setup_plan', { objective: text, initial_steps: [text] })).kind).toBe('succeeded');
      expect(plans()[0]?.steps[0]?.title).toBe(text.trim());
      expect((await call('update_step', { step_id: 1, title: text })).kind).toBe('succeeded');
    }
    const before = plans();
    for (const text of [long, '🚀'.repeat(501)]) {
      expect((await call('setup_plan', { objective: text })).text).toMatch(/^The objective has 501 characters.*500/);
      expect((await call('add_step', { steps: [text] })).text).toMatch(/^Title 1 of 1 has 501 characters.*500/);
      expect((await call('update_step', { step_id: 1, title: text })).text).toMatch(/^The title has 501 characters/);
    }
    expect(plans()).toEqual(before);
  });

  test('the rules of an update are checked in this order: plan, active, title, something given, step', async () => {
    const wrong = { step_id: 9, title: long };
    expect((await (await planner()).call('update_step', wrong)).text).toMatch(/^There is no plan/);
    expect((await (await completed()).call('update_step', wrong)).text).toMatch(/^The plan is completed/);
    const { call } = await withPlan();
    expect((await call('update_step', wrong)).text).toMatch(/^The title has 501/);
    expect((await call('update_step', { step_id: 9 })).text).toMatch(/^Nothing to change/);
    expect((await call('update_step', { step_id: 9, title: 'x' })).text).toMatch(/^There is no step 9/);
  });

  test('the rules of an addition are checked in this order: plan, active, titles, at least one', async () => {
    expect((await (await planner()).call('add_step', { steps: [long] })).text).toMatch(/^There is no plan/);
    expect((await (await planner()).call('add_step', { steps: [] })).text).toMatch(/^There is no plan/);
    expect((await (await completed()).call('add_step', { steps: [long] })).text).toMatch(/^The plan is completed/);
    expect((await (await completed()).call('add_step', { steps: [] })).text).toMatch(/^The plan is completed/);
    const { call } = await withPlan();
    expect((await call('add_step', { steps: [long] })).text).toMatch(/^Title 1 of 1/);
    expect((await call('add_step', { steps: [] })).text).toMatch(/^No step was given/);
  });

  test.each([
    ['setup_plan', {}],
    ['setup_plan', { objective: 5 }],
    ['setup_plan', { objective: 'A', initial_steps: 'x' }],
    ['setup_plan', { objective: 'A', initial_steps: [1] }],
    ['setup_plan', { objective: 'A', plan: 'B' }],
    ['add_step', {}],
    ['add_step', { steps: null }],
    ['update_step', { status: 'done' }],
    ['update_step', { step_id: 1.5, status: 'done' }],
    ['update_step', { step_id: '1', status: 'done' }],
    ['read_plan', { x: 1 }],
  ])('%s takes no arguments of another form: %j', async (tool, args) => {
    const { call, plans } = await withPlan();
    expect((await call(tool, args)).kind).toBe('rejected');
    expect(plans().map(brief)).toEqual(['A (active): 1 pending a, 2 pending b']);
  });

  test('a plan of 10,000 steps is written at once, and the model reads the next ones', async () => {
    const { call, plans } = await planner();
    const titles = Array.from({ length: 10_000 }, (_, index) => `step ${String(index + 1)}`);
    const { kind, text } = await call('setup_plan', { objective: 'A', initial_steps: titles });
    expect(kind).toBe('succeeded');
    expect(text.split('\n')).toHaveLength(105);
    expect(text).toMatch(/Not shown: 0 steps that are done, 9900 that are not and come later\.$/);
    expect((await call('update_step', { step_id: 10_000, status: 'done' })).kind).toBe('succeeded');
    expect(plans()[0]?.steps).toHaveLength(10_000);
  });

  test('a call costs no more than in proportion to the steps of the plan', async () => {
    const medianOf = async (steps: number): Promise<number> => {
      const { call } = await planner();
      await call('setup_plan', { objective: 'A', initial_steps: Array.from({ length: steps }, () => 'x') });
      const durations: number[] = [];
      for (let step = 1; step <= 15; step++) {
        const began = performance.now();
        await call('update_step', { step_id: step, status: 'done' });
        durations.push(performance.now() - began);
      }
      return durations.sort((a, b) => a - b)[7] ?? 0;
    };
    // 16 times the steps may take 16 times as long; if a call were quadratic, 256 times.
    expect((await medianOf(8_000)) / (await medianOf(500))).toBeLessThan(64);
  });
});

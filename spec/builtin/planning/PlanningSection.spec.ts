import { Session } from 'toolwright';
import { Plan, PlanningSection, PlanningStrategy } from 'toolwright/sections';
import { failAfter } from 'toolwright/testing';
import { brief, planner } from './planner.js';

const tools = ['planning_setup_plan', 'planning_add_step', 'planning_update_step', 'planning_read_plan'];

describe('the text of the planning section', () => {
  test('the planning section has the key planning, and names each tool, how steps count and how a plan completes', async () => {
    const { rendered } = await planner();
    expect(rendered.sections.map(({ path }) => path)).toEqual(['planning']);
    expect(rendered.text).toMatch(/^## 1\. Planning \(planning\)\n\nKeep a plan when/);
    expect(rendered.text).toMatch(/Do without a plan/);
    for (const name of tools) expect(rendered.text).toContain(`\`${name}\``);
    expect(rendered.text).toMatch(/numbered from 1/);
    expect(rendered.text).toMatch(/completes by itself/);
  });

  test('REACT is the default and adds nothing', async () => {
    const plain = await planner();
    const react = await planner({ section: PlanningSection.with({ strategy: PlanningStrategy.REACT }) });
    expect(react.rendered.text).toBe(plain.rendered.text);
  });

  test('PLAN_ACT_REFLECT adds how to outline, to act and to keep the status', async () => {
    const plain = await planner();
    const { rendered } = await planner({
      section: PlanningSection.with({ strategy: PlanningStrategy.PLAN_ACT_REFLECT }),
    });
    expect(rendered.text.startsWith(plain.rendered.text)).toBe(true);
    const added = rendered.text.slice(plain.rendered.text.length);
    expect(added).toMatch(/outline the entire plan before executing any tools/i);
    expect(added).toMatch(/work through the steps/i);
    expect(added).toMatch(/update the step status after each tool call or completed step/i);
    expect(rendered.sections.map(({ path }) => path)).toEqual(['planning', 'planning.plan-act-reflect']);
  });

  test('GOAL_DECOMPOSE_ROUTE_SYNTHESISE adds goal, sub-problems and synthesis', async () => {
    const plain = await planner();
    const { rendered } = await planner({
      section: PlanningSection.with({ strategy: PlanningStrategy.GOAL_DECOMPOSE_ROUTE_SYNTHESISE }),
    });
    expect(rendered.text.startsWith(plain.rendered.text)).toBe(true);
    const added = rendered.text.slice(plain.rendered.text.length);
    expect(added).toMatch(/restate the goal/i);
    expect(added).toMatch(/break it into sub-problems.* before routing tools to each/i);
    expect(added).toMatch(/synthesise the results into one answer/i);
    expect(rendered.sections.map(({ path }) => path)).toEqual(['planning', 'planning.goal-decomposition']);
  });

  test('body and strategy may be overridden, since both are templates', async () => {
    const { app, desk } = await planner();
    const paths = app.prompt(desk).descriptor.sections.map(({ path }) => path);
    expect(paths).toEqual(['planning', 'planning.plan-act-reflect', 'planning.goal-decomposition']);
  });
});

describe('the tools of the planning section', () => {
  test('there are four tools in this order, under every strategy', async () => {
    for (const strategy of Object.values(PlanningStrategy)) {
      const { rendered } = await planner({ section: PlanningSection.with({ strategy }) });
      expect(rendered.tools.map(({ name }) => name)).toEqual(tools);
    }
  });

  test('the tools of the planning section take what the contract says, every field described', async () => {
    const { rendered } = await planner();
    const parameters = Object.fromEntries(
      rendered.toolSchemas('json-schema').map((tool) => [tool.name, tool.parameters as Record<string, unknown>]),
    );
    const described = expect.any(String) as unknown;
    expect(parameters['planning_setup_plan']).toMatchObject({
      properties: {
        objective: { type: 'string', description: described },
        initial_steps: { type: 'array', items: { type: 'string' }, default: [], description: described },
      },
      required: ['objective'],
    });
    expect(parameters['planning_add_step']).toMatchObject({
      properties: { steps: { type: 'array', items: { type: 'string' }, description: described } },
      required: ['steps'],
    });
    expect(parameters['planning_update_step']).toMatchObject({
      properties: {
        step_id: { type: 'integer', description: described },
        title: { type: 'string', description: described },
        status: { enum: ['pending', 'in_progress', 'done'], description: described },
      },
      required: ['step_id'],
    });
    expect(parameters['planning_read_plan']).toMatchObject({ properties: {} });
  });

  test('the tools of the planning section say what they do to the world', async () => {
    const { rendered } = await planner();
    const own = { destructive: false, openWorld: false };
    expect(rendered.tools.map(({ hints }) => hints)).toEqual([
      { ...own, destructive: true, idempotent: true },
      { ...own, idempotent: false },
      { ...own, destructive: true, idempotent: true },
      { ...own, idempotent: true, readOnly: true },
    ]);
  });

  test('exactly the planning tools that are hinted as destructive lose a text of the plan', async () => {
    const calls = {
      planning_setup_plan: { objective: 'Sell' },
      planning_add_step: { steps: ['c'] },
      planning_update_step: { step_id: 1, title: 'd' },
      planning_read_plan: {},
    };
    const losing: string[] = [];
    const { rendered } = await planner();
    for (const [name, args] of Object.entries(calls)) {
      const { app, rendered: desk, session, call } = await planner();
      await call('setup_plan', { objective: 'Ship', initial_steps: ['a', 'b'] });
      await app.invoke(desk, name, args, { session });
      const plan = session.slice(Plan).latest()!;
      const texts = [plan.objective, ...plan.steps.map(({ title }) => title)];
      if (!['Ship', 'a', 'b'].every((text) => texts.includes(text))) losing.push(name);
    }
    expect(rendered.tools.filter(({ hints }) => hints.destructive).map(({ name }) => name)).toEqual(losing);
    expect(rendered.tools.map(({ name }) => name)).toEqual(Object.keys(calls));
  });

  test('planning tools answer with the whole plan, as text and as a value', async () => {
    const { app, rendered, session, call } = await planner();
    expect((await call('setup_plan', { objective: ' Ship ', initial_steps: [' a '] })).text).toBe(
      'The plan is set up.\n\nObjective: Ship\nStatus: active, 0 of 1 steps done\n1. [pending] a',
    );
    expect((await call('add_step', { steps: ['b'] })).text).toMatch(/^The step is added\.\n\n.*\n2\. \[pending\] b$/s);
    expect((await call('add_step', { steps: ['c', 'd'] })).text).toMatch(/^The steps are added\.\n\n.*\n4\. /s);
    expect((await call('update_step', { step_id: 2, title: 'B', status: 'in_progress' })).text).toMatch(
      /^Step 2 is updated\.\n\n.*\n2\. \[in_progress\] B\n/s,
    );
    const read = await app.invoke(rendered, 'planning_read_plan', {}, { session });
    expect(read.result.value).toBeInstanceOf(Plan);
    expect(read.text).toBe((read.result.value as Plan).render());
    expect(brief(read.result.value as Plan)).toBe(
      'Ship (active): 1 pending a, 2 in_progress B, 3 pending c, 4 pending d',
    );
  });

  test('the tools of the planning section say when the last step has completed the plan', async () => {
    const { call, plans } = await planner();
    await call('setup_plan', { objective: 'Ship', initial_steps: ['a'] });
    const { text } = await call('update_step', { step_id: 1, status: 'done' });
    expect(text).toMatch(
      /^Step 1 is updated\. All steps are done: the plan is completed\.\n\n.*Status: completed, 1 of 1/s,
    );
    expect(plans()[0]?.status).toBe('completed');
  });
});

describe('the slice Plan', () => {
  const installed = () => new Session({ slices: [Plan] });
  const withInitial = () => new Session({ slices: [{ type: Plan, initial: () => Plan.of('none') }] });

  test.each([
    ['listed nowhere', () => new Session()],
    ['installed', installed],
    ['installed with a state to begin with', withInitial],
  ])('the slice Plan holds exactly one plan after each tool, %s', async (_how, create) => {
    const { call, plans, session } = await planner({ session: create() });
    const expected = [
      ['setup_plan', { objective: 'A', initial_steps: ['x'] }, 'A (active): 1 pending x'],
      ['setup_plan', { objective: 'B' }, 'B (active): '],
      ['add_step', { steps: ['y', 'z'] }, 'B (active): 1 pending y, 2 pending z'],
      ['update_step', { step_id: 2, status: 'done' }, 'B (active): 1 pending y, 2 done z'],
      ['read_plan', {}, 'B (active): 1 pending y, 2 done z'],
    ] as const;
    for (const [tool, args, plan] of expected) {
      expect((await call(tool, args)).kind).toBe('succeeded');
      expect(plans().map(brief)).toEqual([plan]);
      expect(brief(session.slice(Plan).latest())).toBe(plan);
    }
  });

  test('a plan continues in a session that was written as JSON and read again', async () => {
    const first = await planner({ session: installed() });
    await first.call('setup_plan', { objective: 'Ship', initial_steps: ['a', 'b'] });
    await first.call('update_step', { step_id: 1, status: 'in_progress' });
    const json = JSON.parse(JSON.stringify(first.session)) as unknown;
    const later = await planner({ session: Session.fromJSON(json, { slices: [Plan] }) });
    expect((await later.call('add_step', { steps: ['c'] })).kind).toBe('succeeded');
    expect(later.plans().map(brief)).toEqual(['Ship (active): 1 in_progress a, 2 pending b, 3 pending c']);
  });

  test.each([
    ['installed', installed],
    ['not installed', () => new Session()],
  ])('the slice Plan is as before when a call is rolled back after its handler, %s', async (_how, create) => {
    const { call, plans } = await planner({
      session: create(),
      interceptors: [failAfter('planning_add_step'), failAfter('planning_setup_plan', { call: 2 })],
    });
    await call('setup_plan', { objective: 'A', initial_steps: ['x'] });
    const before = plans();
    expect((await call('add_step', { steps: ['y'] })).kind).toBe('failed');
    expect((await call('setup_plan', { objective: 'B' })).kind).toBe('failed');
    expect(plans()).toEqual(before);
    expect(plans().map(brief)).toEqual(['A (active): 1 pending x']);
  });

  test('the calls of one turn build upon each other, and reads between them see what was written', async () => {
    const { app, rendered, session } = await planner();
    const outcomes = await app.callTools(
      rendered,
      [
        { id: '1', name: 'planning_setup_plan', arguments: { objective: 'A' } },
        { id: '2', name: 'planning_add_step', arguments: { steps: ['x'] } },
        { id: '3', name: 'planning_read_plan', arguments: {} },
        { id: '4', name: 'planning_update_step', arguments: { step_id: 1, status: 'done' } },
        { id: '5', name: 'planning_read_plan', arguments: {} },
      ],
      { session },
    );
    expect(outcomes.map(({ result }) => brief(result.value as Plan))).toEqual([
      ...['A (active): ', 'A (active): 1 pending x', 'A (active): 1 pending x'],
      ...['A (completed): 1 done x', 'A (completed): 1 done x'],
    ]);
  });
});

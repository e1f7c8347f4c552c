import { Session } from 'toolwright';
import { Plan, PlanStep } from 'toolwright/sections';
import { parse } from 'toolwright/schema';
import { brief } from './planner.js';

const titles = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `t${String(index + 1)}`);

describe('Plan', () => {
  test('numbers its steps from 1, and continues after the last one', () => {
    const plan = Plan.of('Ship').withSteps(['a', 'b']).withSteps(['c']);
    expect(brief(plan)).toBe('Ship (active): 1 pending a, 2 pending b, 3 pending c');
  });

  test('a plan is completed once it has steps and all of them are done, and not before', () => {
    const plan = Plan.of('Ship').withSteps(['a', 'b']);
    expect(Plan.of('Ship').status).toBe('active');
    expect(plan.withStep(1, { status: 'done' }).status).toBe('active');
    const completed = plan.withStep(1, { status: 'done' }).withStep(2, { status: 'done' });
    expect(completed.status).toBe('completed');
    expect(completed.withSteps(['c']).status).toBe('active');
  });

  test('Plan changes title, status or both of one step, in another plan', () => {
    const plan = Plan.of('Ship').withSteps(['a', 'b']);
    expect(brief(plan.withStep(2, { title: 'B' }))).toBe('Ship (active): 1 pending a, 2 pending B');
    expect(brief(plan.withStep(2, { status: 'in_progress' }))).toBe('Ship (active): 1 pending a, 2 in_progress b');
    expect(brief(plan.withStep(1, { title: 'A', status: 'done' }))).toBe('Ship (active): 1 done A, 2 pending b');
    expect(brief(plan)).toBe('Ship (active): 1 pending a, 2 pending b');
  });

  test('Plan cannot be changed, neither itself nor its steps', () => {
    const plan = Plan.of('Ship').withSteps(['a']);
    expect(() => Object.assign(plan, { objective: 'other' })).toThrow(TypeError);
    expect(() => (plan.steps as PlanStep[]).push(PlanStep.of(2, 'b'))).toThrow(TypeError);
    expect(() => Object.assign(plan.steps[0] as PlanStep, { status: 'done' })).toThrow(TypeError);
  });

  test('a plan does not keep the list that it was made of', () => {
    const steps = [PlanStep.of(1, 'a')];
    const plan = Plan.of('Ship', steps);
    steps.push(PlanStep.of(2, 'b'));
    expect(plan.steps).toHaveLength(1);
  });

  test('Plan reads as objective, status and numbered steps', () => {
    expect(Plan.of('Ship').render()).toBe('Objective: Ship\nStatus: active, no steps yet');
    const plan = Plan.of('Ship').withSteps(['a', 'b', 'c']).withStep(1, { status: 'done' });
    expect(plan.withStep(2, { status: 'in_progress' }).render()).toBe(
      'Objective: Ship\nStatus: active, 1 of 3 steps done\n1. [done] a\n2. [in_progress] b\n3. [pending] c',
    );
  });

  test('Plan keeps each step on one line, so that no title can pass for another step', () => {
    const plan = Plan.of('Ship\nStatus: completed').withSteps(['a\n2. [done] b']);
    expect(plan.render().split('\n')).toEqual([
      'Objective: Ship Status: completed',
      'Status: active, 0 of 1 steps done',
      '1. [pending] a 2. [done] b',
    ]);
  });

  test('Plan shows 100 steps whatever they are; of more, the next 100 to be done, and says what is missing', () => {
    const done = (plan: Plan, from: number, to: number): Plan =>
      Plan.of(
        plan.objective,
        plan.steps.map((step) =>
          step.stepId >= from && step.stepId <= to ? PlanStep.of(step.stepId, step.title, 'done') : step,
        ),
      );
    expect(
      done(Plan.of('Ship').withSteps(titles(100)), 1, 99)
        .render()
        .split('\n'),
    ).toHaveLength(102);

    const lines = done(Plan.of('Ship').withSteps(titles(10_000)), 1, 9_000)
      .render()
      .split('\n');
    expect(lines).toHaveLength(103);
    expect(lines[1]).toBe('Status: active, 9000 of 10000 steps done');
    expect(lines[2]).toBe('9001. [pending] t9001');
    expect(lines[101]).toBe('9100. [pending] t9100');
    expect(lines[102]).toBe('Not shown: 9000 steps that are done, 900 that are not and come later.');
  });

  test('the text of a plan of 10,000 of the longest titles is shorter than the limit of results', () => {
    const plan = Plan.of('o'.repeat(500)).withSteps(Array.from({ length: 10_000 }, () => 't'.repeat(500)));
    expect(plan.render().length).toBeLessThan(100_000);
  });

  test("a plan is read from a session's JSON as instances, frozen", () => {
    const session = new Session({ slices: [Plan] });
    session.slice(Plan).seed(Plan.of('Ship').withSteps(['a', 'b']).withStep(1, { status: 'done' }));
    const json = JSON.parse(JSON.stringify(session)) as unknown;
    const plan = Session.fromJSON(json, { slices: [Plan] })
      .slice(Plan)
      .latest();
    expect(plan).toBeInstanceOf(Plan);
    expect(plan?.steps[0]).toBeInstanceOf(PlanStep);
    expect(brief(plan)).toBe('Ship (active): 1 done a, 2 pending b');
    expect(brief(plan?.withSteps(['c']))).toBe('Ship (active): 1 done a, 2 pending b, 3 pending c');
  });

  test('a plan can be parsed by the names that models use', () => {
    const plan = parse(Plan, {
      objective: 'Ship',
      status: 'active',
      steps: [{ step_id: 1, title: 'a', status: 'pending' }],
    });
    expect(plan).toBeInstanceOf(Plan);
    expect(brief(plan)).toBe('Ship (active): 1 pending a');
  });

  test('a plan that is dispatched to its installed slice replaces the plan before', () => {
    const session = new Session({ slices: [{ type: Plan, initial: () => Plan.of('none') }] });
    session.dispatch(Plan.of('first'));
    session.dispatch(Plan.of('second'));
    expect(session.slice(Plan).all().map(brief)).toEqual(['second (active): ']);
  });
});

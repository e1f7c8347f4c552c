import { createApplication, definePrompt, Session } from 'toolwright';
import type { RunScope } from 'toolwright/policies';
import { Plan, PlanCompleteChecker, PlanningSection, PlanStep } from 'toolwright/sections';
import { ScriptedModel } from 'toolwright/testing';

/** The verdict of the checker on a session with such a plan. */
function verdictOn(plan?: Plan) {
  const session = new Session({ slices: [Plan] });
  if (plan !== undefined) session.slice(Plan).seed(plan);
  return new PlanCompleteChecker().check({ text: 'Done.' }, { session } as unknown as RunScope);
}

const step = (id: number, status: 'pending' | 'in_progress' | 'done') => PlanStep.of(id, `Step ${String(id)}`, status);

describe('PlanCompleteChecker', () => {
  test('PlanCompleteChecker accepts an answer without a plan', () => {
    expect(verdictOn()).toEqual({ complete: true });
  });

  test('PlanCompleteChecker accepts an answer when the plan is completed', () => {
    expect(verdictOn(Plan.of('Ship', [step(1, 'done'), step(2, 'done')]))).toEqual({ complete: true });
  });

  test('PlanCompleteChecker names the steps that are not done, and no others', () => {
    const verdict = verdictOn(Plan.of('Ship', [step(1, 'done'), step(2, 'in_progress'), step(3, 'pending')]));
    expect(verdict.complete).toBe(false);
    expect(verdict.feedback).toContain('2 "Step 2", 3 "Step 3"');
    expect(verdict.feedback).not.toContain('Step 1');
  });

  test('PlanCompleteChecker asks for the steps of a plan without any', () => {
    expect(verdictOn(Plan.of('Ship'))).toMatchObject({
      complete: false,
      feedback: expect.stringContaining('planning_add_step') as unknown,
    });
  });

  test('PlanCompleteChecker holds a model to its plan', async () => {
    const type = definePrompt({
      ns: 'spec',
      key: 'plan',
      sections: [PlanningSection],
      completion: [new PlanCompleteChecker()],
    });
    const app = await createApplication({ prompts: [type] });
    const use = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args as Record<string, unknown> }] });
    const adapter = new ScriptedModel([
      use('planning_setup_plan', { objective: 'Ship', initial_steps: ['Pack'] }),
      { text: 'Done.' },
      use('planning_update_step', { step_id: 1, status: 'done' }),
      { text: 'Now it is.' },
    ]);
    const response = await app.evaluate(app.prompt(type), { adapter, session: new Session({ slices: [Plan] }) });
    expect(response).toMatchObject({ text: 'Now it is.', complete: true, turns: 4 });
    expect(adapter.requests[2]?.messages.at(-1)?.content).toContain('1 "Pack"');
  });
});

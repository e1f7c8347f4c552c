// A model that keeps a plan: it writes one, extends it, keeps it up to date, reads it; the session holds it.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createApplication, Prompt, Section, Session, Tool } from 'toolwright';
import { Plan, PlanningSection, PlanningStrategy } from 'toolwright/sections';
import { failAfter, ScriptedModel, type ScriptStep } from 'toolwright/testing';

@Section({ title: 'Release', template: 'Releases are cut from the main branch.' })
class ReleaseSection {
  @Tool({ description: 'Run all tests.', hints: { readOnly: true } })
  runTests(): string {
    return '214 passed.';
  }
}

// The section is listed like any other one. Its strategy adds instructions to its text.
@Prompt({
  ns: 'samples',
  key: 'release',
  sections: [ReleaseSection, PlanningSection.with({ strategy: PlanningStrategy.PLAN_ACT_REFLECT })],
})
class ReleaseDesk {}

const call = (name: string, args: Readonly<Record<string, unknown>> = {}): ScriptStep => ({
  toolCalls: [{ name, arguments: args }],
});

async function main(): Promise<void> {
  const app = await createApplication({
    prompts: [ReleaseDesk],
    // The second change of a step fails after it was made, to show that the plan is rolled back with its call.
    interceptors: [failAfter('planning_update_step', { call: 2 })],
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  // Listed as a slice, the plan is written with the session as JSON. The tools work without that, too.
  const session = new Session({ slices: [Plan] });
  const prompt = app.prompt(ReleaseDesk);
  const { text } = await prompt.render({ session });
  console.log(`--- What the strategy adds ---\n${wrap(text.slice(text.indexOf('### ')))}\n`);
  assert.match(text, /^### 2\.1\. Plan, Act, Reflect \(planning\.plan-act-reflect\)$/m);

  const adapter = new ScriptedModel([
    call('planning_setup_plan', { objective: 'Release 2.0', initial_steps: ['Run the tests'] }),
    call('planning_add_step', { steps: ['Write the notes', 'Publish'] }),
    call('run_tests'),
    call('planning_update_step', { step_id: 1, status: 'done' }),
    call('planning_update_step', { step_id: 2, status: 'in_progress' }), // fails
    call('planning_update_step', { step_id: 4, status: 'done' }), // there is no step 4
    call('planning_read_plan'),
    { text: 'The tests are done; the notes are next.' },
  ]);
  const response = await app.evaluate(prompt, { adapter, session });

  for (const message of response.transcript) {
    if (message.role === 'assistant') for (const { name } of message.toolCalls ?? []) console.log(`--- ${name} ---`);
    if (message.role === 'tool') console.log(`${wrap(message.content)}\n`);
  }
  console.log(`${response.text}\n`);

  const plan = session.slice(Plan).latest();
  assert.ok(plan);
  assert.equal(plan.objective, 'Release 2.0');
  assert.deepEqual(
    plan.steps.map(({ stepId, title, status }) => [stepId, title, status]),
    [
      [1, 'Run the tests', 'done'],
      [2, 'Write the notes', 'pending'],
      [3, 'Publish', 'pending'],
    ],
  );
  assert.equal(session.slice(Plan).all().length, 1);

  console.log('--- The session as JSON, read again: the plan goes on, and completes ---');
  const later = Session.fromJSON(JSON.parse(JSON.stringify(session)), { slices: [Plan] });
  const rendered = await prompt.render({ session: later });
  for (const step of [2, 3]) {
    await app.invoke(rendered, 'planning_update_step', { step_id: step, status: 'done' }, { session: later });
  }
  const completed = later.slice(Plan).latest();
  console.log(completed?.render());
  assert.equal(completed?.status, 'completed');
  const refused = await app.invoke(rendered, 'planning_add_step', { steps: ['Celebrate'] }, { session: later });
  console.log(`\nplanning_add_step -> ${refused.kind}\n${wrap(refused.text)}`);
  assert.equal(refused.kind, 'failed');
  assert.equal(later.slice(Plan).latest(), completed);
}

/** Breaks lines that an 80-column terminal would cut. */
function wrap(text: string): string {
  return text.replace(/(?=.{76})(.{1,75}) /g, '$1\n');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

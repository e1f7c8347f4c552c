// A model that is reminded while it works, and that may not stop before the work is done.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { bind, createApplication, Deadline, Param, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import {
  type CompletionChecker,
  DeadlineFeedback,
  type FeedbackProvider,
  FileOutputChecker,
  StaticFeedback,
} from 'toolwright/policies';
import { Filesystem, InMemoryFilesystem } from 'toolwright/resources';
import { Plan, PlanCompleteChecker, PlanningSection } from 'toolwright/sections';
import { FakeClock, ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { FeedbackGiven } from 'toolwright/events';

// A clock that is advanced by hand, so that the sample does not wait.
const clock = new FakeClock('2030-01-01T09:00:00Z');

// Ready-made feedback has a trigger. On a section, it applies to the calls of all tools below.
@Section({
  title: 'Notes',
  template: 'Release notes live in NOTES.md.',
  feedback: [new StaticFeedback('NOTES.md is there: have it checked with check_notes.', { fileCreated: 'NOTES.md' })],
})
class NotesSection {
  @Tool('Write the release notes.')
  async writeNotes(@Param('text', 'The whole text') text: string, context: ToolContext): Promise<string> {
    clock.advance(60_000); // writing takes its time
    await context.filesystem?.write('NOTES.md', text);
    return 'Written.';
  }

  @Tool({ description: 'Check the release notes.', hints: { readOnly: true } })
  async checkNotes(context: ToolContext): Promise<string> {
    clock.advance(30_000);
    const { totalLines } = (await context.filesystem?.read('NOTES.md')) ?? { totalLines: 0 };
    return `${String(totalLines)} lines, no faults.`;
  }
}

// Your own feedback reads the state after the call, and cannot change it.
const openSteps: FeedbackProvider = {
  name: 'open_steps',
  trigger: { everyCalls: 3 },
  provide: (_call, _outcome, { session }) => {
    const open =
      session
        .slice(Plan)
        .latest()
        ?.steps.filter(({ status }) => status !== 'done') ?? [];
    return open.length === 0 ? undefined : `${String(open.length)} steps of your plan are open.`;
  },
};

// So does your own checker; the model reads only its reason when it refuses.
const namesAVersion: CompletionChecker = {
  name: 'names_a_version',
  check: ({ text }) =>
    /\d+\.\d+/.test(text ?? '')
      ? { complete: true }
      : { complete: false, feedback: 'Your answer has to name the version.' },
};

@Prompt({
  ns: 'samples',
  key: 'release-notes',
  sections: [NotesSection, PlanningSection],
  feedback: [new DeadlineFeedback({ trigger: { everyCalls: 2 }, warningThresholdSeconds: 60 }), openSteps],
  completion: [new FileOutputChecker({ files: ['NOTES.md'] }), new PlanCompleteChecker(), namesAVersion],
})
class ReleaseNotes {}

const call = (name: string, args: Readonly<Record<string, unknown>> = {}): ScriptStep => ({
  toolCalls: [{ name, arguments: args }],
});

async function main(): Promise<void> {
  const files = new InMemoryFilesystem();
  const warnings: string[] = [];
  const app = await createApplication({
    prompts: [ReleaseNotes],
    resources: [bind(Filesystem, { value: files })],
    clock,
    logger: { debug: () => {}, info: () => {}, warn: (message) => void warnings.push(message), error: () => {} },
  });
  const spoke: string[] = [];
  app.eventBus.subscribe(FeedbackGiven, ({ provider, name }) => void spoke.push(`${provider} after ${name}`));

  console.log('--- Reminded on the way, refused until it is done ---');
  const adapter = new ScriptedModel([
    call('planning_setup_plan', { objective: 'Notes for 2.0', initial_steps: ['Write them', 'Check them'] }),
    { text: 'The notes for 2.0 are done.' }, // there is no file yet
    call('write_notes', { text: 'Toolwright 2.0\n\nFeedback and completion.\n' }),
    call('check_notes'),
    { text: 'The notes for 2.0 are done.' }, // the plan does not say so
    {
      toolCalls: [1, 2].map((id) => ({ name: 'planning_update_step', arguments: { step_id: id, status: 'done' } })),
    },
    { text: 'Done.' }, // which version?
    { text: 'The notes for 2.0 are done.' },
  ]);
  const session = new Session({ slices: [Plan] });
  const deadline = Deadline.in(120_000, clock);
  const response = await app.evaluate(app.prompt(ReleaseNotes), { adapter, session, deadline });

  for (const message of response.transcript) {
    if (message.role === 'tool') console.log(`${message.name}:\n${indent(message.content)}`);
    if (message.role === 'user') console.log(`the model is told:\n${indent(message.content)}`);
    if (message.role === 'assistant' && message.content !== null) console.log(`answer: ${message.content}`);
  }
  console.log(`\ncomplete: ${String(response.complete)}, after ${String(response.turns)} requests`);
  console.log(spoke.join('\n'));
  assert.equal(response.complete, true);
  assert.equal(response.turns, 8);
  assert.deepEqual(spoke, [
    'static after write_notes', // once, with the call that wrote the file
    'deadline after write_notes',
    'open_steps after check_notes',
    'deadline after planning_update_step',
  ]);
  assert.equal(warnings.length, 0);

  console.log('\n--- A model that does not listen: its answer is taken in the end, and marked ---');
  const stubborn = new ScriptedModel(Array.from({ length: 4 }, () => ({ text: 'Done, done, done.' })));
  const taken = await app.evaluate(app.prompt(ReleaseNotes), { adapter: stubborn, session: new Session() });
  console.log(`complete: ${String(taken.complete)}, after ${String(taken.turns)} requests\nlogged: ${warnings.join()}`);
  assert.equal(taken.complete, false);
  assert.equal(taken.turns, 4); // three refusals by default
  assert.equal(warnings.length, 1);
}

/** Indents the second column, and breaks its lines at 80 characters. */
function indent(text: string): string {
  return text
    .replace(/(?=.{73})(.{1,72}) /g, '$1\n')
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

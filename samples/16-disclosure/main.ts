// Context that the model sees as a summary until it asks for it: with a custom loop, and with `app.evaluate`.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import {
  Budget,
  createApplication,
  definePrompt,
  md,
  type ModelRequest,
  Param,
  Section,
  Session,
  VisibilityExpansionRequired,
} from 'toolwright';
import { VisibilityOverrides } from 'toolwright/conversations';
import { ScriptedModel, type ScriptedTurn } from 'toolwright/testing';

class TaskParams {
  @Param('What is to be done') objective!: string;
}

class ProjectParams {
  @Param('The project') project_name!: string;
}

@Section({ key: 'task', title: 'Task', params: TaskParams, template: 'Complete the following: ${objective}' })
class TaskSection {}

// Shown as its summary: one line instead of four, until the model opens it.
@Section({
  key: 'context',
  title: 'Project Context',
  params: ProjectParams,
  visibility: 'summary',
  summary: 'Documentation for ${project_name} is available.',
  template: md`
    - ${'project_name'} is a service that answers over HTTP.
    - The code of ${'project_name'} lies in src, its tests in spec.
    - Releases of ${'project_name'} are tagged, and described in CHANGELOG.md.
    - Ask the owners of ${'project_name'} before you change its interface.
  `,
})
class ContextSection {}

const sections = [TaskSection, ContextSection];
const TaskExecutor = definePrompt({ ns: 'agents/assistant', key: 'task-executor', sections });
const Numbered = definePrompt({ ns: 'agents/assistant', key: 'numbered', sections, heading: 'numbered' });

// Not a model: a script that asks for the section once, and then answers.
const script: readonly ScriptedTurn[] = [
  {
    toolCalls: [{ name: 'open_sections', arguments: { section_keys: ['context'], reason: 'I need the conventions.' } }],
  },
  { text: 'Release notes written.' },
];
const bullets = (text: string): number => text.split('\n').filter((line) => line.startsWith('- ')).length;
const toolsOf = ({ toolSchemas }: ModelRequest): string =>
  toolSchemas('json-schema')
    .map(({ name }) => name)
    .join(', ') || 'none';

async function main(): Promise<void> {
  const app = await createApplication({ prompts: [TaskExecutor, Numbered] });
  const bound = (type: typeof TaskExecutor) =>
    app
      .prompt(type)
      .bind(TaskParams, { objective: 'Write the release notes.' })
      .bind(ProjectParams, { project_name: 'Atlas' });

  for (const type of [TaskExecutor, Numbered]) {
    const prompt = bound(type);
    console.log(`--- A loop of one's own: ${prompt.key} ---`);
    const adapter = new ScriptedModel(script);
    let visibilityOverrides = {};
    for (;;) {
      const rendered = await prompt.render({ visibilityOverrides });
      console.log(rendered.text);
      console.log(`tools: ${rendered.tools.map(({ name }) => name).join(', ') || 'none'}\n`);
      try {
        const { text } = await app.evaluate(rendered, { adapter, expansions: 'throw' });
        console.log(`answer: ${text ?? ''}\n`);
        assert.equal(bullets(rendered.text), 4);
        assert.deepEqual(rendered.tools, []);
        break;
      } catch (error) {
        if (!(error instanceof VisibilityExpansionRequired)) throw error;
        assert.equal(bullets(rendered.text), 0);
        assert.equal(rendered.tools.at(-1)?.name, 'open_sections');
        visibilityOverrides = { ...visibilityOverrides, ...error.requestedOverrides };
      }
    }
  }

  console.log('--- The ready one: the run goes on in the same conversation ---');
  const session = new Session();
  const adapter = new ScriptedModel(script);
  const { text, transcript } = await app.evaluate(bound(TaskExecutor), { adapter, session });
  const [first, second] = adapter.requests as [ModelRequest, ModelRequest];
  console.log(`tools: ${toolsOf(first)}, then: ${toolsOf(second)}`);
  const answer = transcript.find(({ role }) => role === 'tool')?.content ?? '';
  console.log(answer);
  console.log(`answer: ${text ?? ''}`);
  // Earlier messages are repeated unchanged, so that a prompt cache stays warm.
  assert.deepEqual(second.messages.slice(0, first.messages.length), first.messages);
  assert.equal(bullets(answer), 4);
  assert.deepEqual(session.slice(VisibilityOverrides).latest()?.overrides, { context: 'full' });

  console.log('--- What it costs is known before, and has to fit into the budget ---');
  const fresh = new Session();
  const [cost] = await (await bound(TaskExecutor).render({ session: fresh })).openingCosts(fresh);
  assert(cost !== undefined && cost.total > cost.summary);
  console.log(`${cost.path}: about ${cost.total} tokens, its summary about ${cost.summary}`);
  const spent = { inputTokens: 120, outputTokens: 10 };
  const careful = new ScriptedModel(script.map((turn) => ({ ...turn, usage: spent })));
  const budget = new Budget({ maxTotalTokens: 150 });
  const refused = await app.evaluate(bound(TaskExecutor), { adapter: careful, session: fresh, budget });
  console.log(refused.transcript.find(({ role }) => role === 'tool')?.content);
  assert.equal(fresh.slice(VisibilityOverrides).latest(), undefined);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

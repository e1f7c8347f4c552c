import 'reflect-metadata';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bind, createApplication, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { type ApprovalAnswer, FileOutputChecker, ReadBeforeWritePolicy, StaticFeedback } from 'toolwright/policies';
import { Filesystem } from 'toolwright/resources';
import { Plan, PlanCompleteChecker, PlanningSection, WorkspaceSection } from 'toolwright/sections';
import { HostFilesystem } from '@toolwright/files';
import { ToolInvoked } from 'toolwright/events';
import { answer } from '../../packages/openai/spec/support/ProviderDouble';
import { provider, stopAll } from '../../packages/openai/spec/support/overHttp';
import { silent } from '../support/silent';

// An agent works on a real folder, over HTTP: it writes before it has read, deletes what it may not, is stopped half way
// through a change, and says that it is done before it is. The folder holds in the end what it was allowed to do, and
// nothing else.

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolwright-story-'));
  await writeFile(join(folder, 'run.sh'), '#!/bin/sh\necho old\n');
  await chmod(join(folder, 'run.sh'), 0o755);
  await writeFile(join(folder, 'keep.txt'), 'keep me\n');
});
afterEach(async () => {
  await stopAll();
  await rm(folder, { recursive: true, force: true });
});

@Section({ title: 'Formatter', template: 'Format all files in one go.' })
class FormatterSection {
  @Tool({ description: 'Format every file.', timeoutMs: 10_000 })
  async formatAll({ filesystem }: ToolContext): Promise<void> {
    await filesystem?.write('run.sh', 'formatted');
    await filesystem?.write('made/by/formatter.txt', 'new');
    await filesystem?.delete('keep.txt');
    throw new Error('the formatter ran out of memory');
  }
}

@Prompt({
  ns: 'stories',
  key: 'coding',
  sections: [WorkspaceSection, FormatterSection, PlanningSection],
  policies: [new ReadBeforeWritePolicy()],
  feedback: [new StaticFeedback('NOTES.md is there now.', { fileCreated: 'NOTES.md' })],
  completion: [new FileOutputChecker({ files: ['NOTES.md'] }), new PlanCompleteChecker()],
  requiresApproval: (_params: never, { call }) => call.name === 'rm',
})
class CodingDesk {}

const does = (name: string, args: object = {}) => answer({ toolCalls: [{ name, arguments: JSON.stringify(args) }] });

test('a coding agent changes in a real folder what it was allowed to, and nothing else', async () => {
  const { adapter, double } = await provider(
    does('planning_setup_plan', { objective: 'Say new instead of old', initial_steps: ['Change run.sh', 'Note it'] }),
    does('write_file', { path: 'run.sh', content: 'echo new' }),
    answer({
      toolCalls: ['run.sh', 'keep.txt'].map((path) => ({ name: 'read_file', arguments: JSON.stringify({ path }) })),
    }),
    does('format_all'),
    does('edit_file', { path: 'run.sh', old_text: 'old', new_text: 'new' }),
    does('rm', { path: 'keep.txt' }),
    answer({ content: 'Done.' }),
    does('write_file', { path: 'NOTES.md', content: '- says new\n' }),
    answer({
      toolCalls: [1, 2].map((step_id) => ({
        name: 'planning_update_step',
        arguments: JSON.stringify({ step_id, status: 'done' }),
      })),
    }),
    answer({ content: 'run.sh says new.' }),
  );
  const asked: object[] = [];
  await using app = await createApplication({
    prompts: [CodingDesk],
    resources: [bind(Filesystem, { eager: true, provide: () => HostFilesystem.open(folder) })],
    approver: {
      approve: ({ tool, params }): ApprovalAnswer => {
        asked.push({ tool: tool.name, ...(params as object) });
        return { kind: 'denied', reason: 'Nobody deletes keep.txt.' };
      },
    },
    logger: silent,
  });
  const outcomes: string[] = [];
  app.eventBus.subscribe(ToolInvoked, ({ name, kind }) => void outcomes.push(`${name} ${kind}`));
  const session = new Session({ slices: [Plan] });
  const response = await app.evaluate(app.prompt(CodingDesk), { adapter, session });

  expect(outcomes).toEqual([
    'planning_setup_plan succeeded',
    'write_file denied',
    'read_file succeeded',
    'read_file succeeded',
    'format_all failed',
    'edit_file succeeded',
    'rm denied',
    'write_file succeeded',
    'planning_update_step succeeded',
    'planning_update_step succeeded',
  ]);
  expect([response.text, response.complete]).toEqual(['run.sh says new.', true]);
  expect(asked).toEqual([{ tool: 'rm', path: 'keep.txt', recursive: false }]);
  expect(session.slice(Plan).latest()?.status).toBe('completed');

  expect((await readdir(folder)).sort()).toEqual(['NOTES.md', 'keep.txt', 'run.sh']);
  expect(await readFile(join(folder, 'run.sh'), 'utf8')).toBe('#!/bin/sh\necho new\n');
  expect((await stat(join(folder, 'run.sh'))).mode & 0o777).toBe(0o755);
  expect(await readFile(join(folder, 'keep.txt'), 'utf8')).toBe('keep me\n');

  // The messages to the model, as they arrived over HTTP.
  const said = double.requests.at(-1)?.body.messages.map(({ content }) => String(content)) ?? [];
  expect(double.requests.flatMap(({ problems }) => problems)).toEqual([]);
  expect(said.filter((text) => text.includes('formatter ran out of memory'))).toHaveLength(1);
  expect(said.filter((text) => text.includes('Nobody deletes keep.txt'))).toHaveLength(1);
  expect(said.filter((text) => text.includes('[Guidance: NOTES.md is there now.]'))).toHaveLength(1);
  expect(said.filter((text) => text.includes('"NOTES.md"') && text.includes('Write them'))).toHaveLength(1);
});

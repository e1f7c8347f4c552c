// A model that works on a folder: it lists, reads, edits and writes. It cannot reach anything outside of the folder.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bind, createApplication, Prompt, Session } from 'toolwright';
import { Filesystem } from 'toolwright/resources';
import { FilePage, WorkspaceSection } from 'toolwright/sections';
import { failAfter, ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { HostFilesystem } from '@toolwright/files';

@Prompt({ ns: 'samples', key: 'coder', sections: [WorkspaceSection] })
class Coder {}

const call = (name: string, args: Readonly<Record<string, unknown>> = {}): ScriptStep => ({
  toolCalls: [{ name, arguments: args }],
});

async function work(folder: string): Promise<void> {
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'README.md'), '# Greeter\n\nRun it with node src/greet.js.\n');
  writeFileSync(join(folder, 'src/greet.js'), "const name = process.argv[2];\n\nconsole.log('Helo ' + name);\n");

  const app = await createApplication({
    prompts: [Coder],
    // The tools work on the resource that is bound to Filesystem: a folder here, files in memory in a test.
    resources: [bind(Filesystem, { eager: true, provide: () => HostFilesystem.open(folder) })],
    // Deletions are failed after they were made, to show that they are rolled back.
    interceptors: [failAfter('rm')],
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  const session = new Session();
  const prompt = app.prompt(Coder);
  const rendered = await prompt.render({ session });
  console.log(`--- The prompt ---\n${wrap(rendered.text)}\n`);

  const adapter = new ScriptedModel([
    call('ls'),
    call('grep', { pattern: 'Helo' }),
    call('read_file', { path: 'src/greet.js' }),
    call('edit_file', { path: 'src/greet.js', old_text: "'Helo '", new_text: "'Hello, '" }),
    call('write_file', { path: 'docs/changes.md', content: '- The greeting is spelled right.\n' }),
    call('read_file', { path: '../../etc/passwd' }), // outside
    call('read_file', { path: '%2e%2e/secret' }), // outside, too, once decoded
    call('rm', { path: 'src', recursive: true }), // fails
    { text: 'The greeting is spelled right now.' },
  ]);
  const response = await app.evaluate(prompt, { adapter, session });
  for (const message of response.transcript) {
    if (message.role === 'assistant') for (const { name } of message.toolCalls ?? []) console.log(`--- ${name} ---`);
    if (message.role === 'tool') console.log(`${wrap(message.content)}\n`);
  }
  console.log(response.text);

  // The folder contains the changes of successful calls, and none of failed ones.
  assert.match(read('src/greet.js'), /^console\.log\('Hello, ' \+ name\);$/m);
  assert.equal(read('docs/changes.md'), '- The greeting is spelled right.\n');
  assert.ok(existsSync(join(folder, 'src')));

  // A tool returns a value as well as a text.
  const page = await app.invoke(rendered, 'read_file', { path: 'README.md', limit: 1 }, { session });
  assert.ok(page.result.value instanceof FilePage);
  assert.equal(page.result.value.content, '# Greeter');
  assert.equal(page.result.value.totalLines, 3);
  await app.close();
}

async function main(): Promise<void> {
  if (process.platform !== 'linux') {
    console.log('HostFilesystem works on Linux only. Elsewhere, bind an InMemoryFilesystem.');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-workspace-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Breaks lines that an 80-column terminal would cut. */
function wrap(text: string): string {
  return text.replace(/(?=.{76})(.{1,75}) /g, '$1\n');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

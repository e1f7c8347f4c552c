// The tools of an MCP server, in a prompt and in programs. The server is real: the official file server, over a temporary folder.
import 'reflect-metadata';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createApplication, definePrompt, defineSection } from 'toolwright';
import type { Approver } from 'toolwright/policies';
import { ScriptedModel } from 'toolwright/testing';
import { followMcp, mcpSection, toolkitFromMcp } from '@toolwright/mcp';

const server = dirname(require.resolve('@modelcontextprotocol/server-filesystem/package.json'));

/** Connects a client to a server that works in a folder; relative paths are paths in it. */
async function connect(folder: string): Promise<Client> {
  const client = new Client({ name: 'samples', version: '1.0.0' });
  const args = [join(server, 'dist/index.js'), folder];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, stderr: 'ignore' }));
  return client;
}

const notes = {
  'W0001.txt': 'Arrived with a crack. Customer wants the money back.',
  'W0002.txt': 'Arrived late. Customer is content.',
};

async function inAPrompt(client: Client): Promise<void> {
  const files = await mcpSection(client, {
    key: 'notes',
    title: 'Notes',
    template: 'Each order has a note, such as W0001.txt. Read it before you answer.',
    names: ['list_directory', 'read_text_file', 'write_file'],
    // A server's own annotations are not trusted; the host knows which of its tools only read.
    each: ({ name }) => (name === 'write_file' ? { requiresApproval: true } : { hints: { readOnly: true } }),
  });
  const rules = defineSection({ key: 'rules', title: 'Rules', template: 'Answer in one sentence.' });
  const desk = definePrompt({ ns: 'samples', key: 'notes-desk', sections: [rules, files] });
  const approver: Approver = {
    approve: ({ tool, params }) => {
      console.log(`asked about ${tool.name}(${JSON.stringify(params)})`);
      return { kind: 'denied', reason: 'Notes are written by people.' };
    },
  };
  const app = await createApplication({ prompts: [desk], approver });

  const adapter = new ScriptedModel([
    { toolCalls: [{ name: 'read_text_file', arguments: { path: 'W0001.txt' } }] },
    { toolCalls: [{ name: 'read_text_file', arguments: { file: 'W0001.txt' } }] },
    { toolCalls: [{ name: 'write_file', arguments: { path: 'W0001.txt', content: 'Paid.' } }] },
    { text: 'The customer of W0001 wants the money back.' },
  ]);
  const { text, transcript } = await app.evaluate(app.prompt(desk), { adapter });
  for (const message of transcript)
    if (message.role === 'tool')
      console.log(`${message.failed ? 'failed' : 'ok    '} ${message.name}: ${message.content}`);
  console.log(text);
  const failed = transcript.flatMap((message) => (message.role === 'tool' ? [message.failed] : []));
  assert.deepEqual(failed, [false, true, true]);
  await app.close();
}

async function inPrograms(client: Client): Promise<void> {
  await using kit = await toolkitFromMcp(client, { names: ['list_directory', 'read_text_file'] });
  console.log(kit.get('read_text_file').signature.split('\n').at(-1));
  const result = await kit.execute(`
    const { content } = await list_directory({ path: '.' });
    const names = content.split('\\n').map((line) => line.replace('[FILE] ', ''));
    const texts = await Promise.all(names.map((path) => read_text_file({ path })));
    return names.filter((_name, index) => texts[index].content.includes('money back'));
  `);
  console.log(result.toModelText());
  assert.deepEqual(result.returnValue, ['W0001.txt']);

  const outside = await kit.execute(`await read_text_file({ path: '../secret.txt' })`);
  assert.equal(outside.error?.kind, 'tool_error');
  console.log(`outside of the folder: ${outside.error.message.split(':', 1)[0] ?? ''}`);
}

async function followServer(client: Client): Promise<void> {
  const follower = await followMcp(client, { key: 'notes', title: 'Notes' }, (notesSection) => {
    const desk = definePrompt({ ns: 'samples', key: 'followed', sections: [notesSection] });
    return createApplication({ prompts: [desk] });
  });
  // Each run begins with the newest application, which is rebuilt only if the server has announced a change.
  const app = await follower.current();
  assert.equal(app, await follower.current());
  console.log(`the list has changed: ${String(follower.isStale)}`);
  follower.close();
  await app.close();
}

async function main(): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-')));
  for (const [name, text] of Object.entries(notes)) await writeFile(join(folder, name), text);
  const client = await connect(folder);
  try {
    console.log('--- In a prompt ---');
    await inAPrompt(client);
    console.log('\n--- In programs ---');
    await inPrograms(client);
    console.log('\n--- Followed ---');
    await followServer(client);
  } finally {
    await client.close();
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

// The retail desk as a web page. `story` plays a short story over HTTP instead, and ends; without it, the page is served.
import 'reflect-metadata';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ModelAdapter } from 'toolwright';
import { ScriptedAgent } from './server/ScriptedAgent.js';
import { serveDesk } from './server/serveDesk.js';
import { runStory } from './server/story.js';

/** The page, as `npm run build` of this folder makes it. The sample itself is compiled to another place. */
const PAGE = resolve('samples/40-desk/dist');

async function main(): Promise<void> {
  const { PORT = '4040', DESK_DATA, DESK_PACE_MS = '45', OPENAI_API_KEY } = process.env;
  if (process.argv[2] === 'story') return tellStory();
  if (!existsSync(join(PAGE, 'index.html'))) {
    console.log('The page is not built yet:\n  (cd samples/40-desk && npm install && npm run build)');
    console.log('Without it: npm run -s sample -- 40-desk story');
    return;
  }
  const folder = DESK_DATA ?? mkdtempSync(join(tmpdir(), 'desk-'));
  const adapter = OPENAI_API_KEY ? await openaiAdapter() : new ScriptedAgent(Number(DESK_PACE_MS));
  const { url } = await serveDesk({ folder, adapter, page: PAGE, port: Number(PORT) });
  console.log(`${url}  answers by: ${adapter.name}; data in ${folder}; end with Ctrl-C`);
}

async function tellStory(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'desk-'));
  try {
    await runStory((paceMs) => serveDesk({ folder, adapter: new ScriptedAgent(paceMs), port: 0 }), console.log);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Loaded on demand: the script needs neither the client nor a key.
async function openaiAdapter(): Promise<ModelAdapter> {
  const { default: OpenAI } = await import('openai');
  const { OpenAIChatAdapter } = await import('@toolwright/openai');
  // The client reads OPENAI_API_KEY and OPENAI_BASE_URL itself.
  return new OpenAIChatAdapter({ client: new OpenAI(), model: process.env['OPENAI_MODEL'] ?? 'gpt-5-mini' });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

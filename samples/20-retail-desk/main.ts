import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { runScripted } from './demo/runScripted.js';
import { runWithModel } from './demo/runWithModel.js';
import { Terminal } from './demo/Terminal.js';

async function main(): Promise<number> {
  const { NO_COLOR, OPENAI_API_KEY, RETAIL_BUNDLE } = process.env;
  const terminal = new Terminal(console.log, process.stdout.isTTY && !NO_COLOR);
  const write = RETAIL_BUNDLE ? (text: string) => writeFileSync(RETAIL_BUNDLE, text) : undefined;
  if (!OPENAI_API_KEY) return (await runScripted(terminal, 20, write)) ? 0 : 1;
  await runWithModel(terminal, await openaiAdapter(), process.argv.slice(2));
  return 0;
}

// Loaded on demand: the scripted run needs neither the client nor a key.
async function openaiAdapter() {
  const { default: OpenAI } = await import('openai');
  const { OpenAIChatAdapter } = await import('@toolwright/openai');
  // The client reads OPENAI_API_KEY and OPENAI_BASE_URL itself.
  return new OpenAIChatAdapter({ client: new OpenAI(), model: process.env['OPENAI_MODEL'] ?? 'gpt-5-mini' });
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);

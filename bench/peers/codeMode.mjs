// The AI SDK's code mode, as its documentation shows it for programs that are run directly. It has its own folder, because it needs
// another version of the AI SDK and of Node.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const { resolve } = createRequire(new URL('../node22/package.json', import.meta.url));
const load = (name) => import(pathToFileURL(resolve(name)).href);

export async function peers() {
  const { experimental_runCodeMode: runCodeMode } = await load('@ai-sdk/code-mode');
  const [{ tool }, { z }] = [await load('ai'), await load('zod')];
  const twice = tool({
    description: 'Twice the number.',
    inputSchema: z.object({ i: z.number() }),
    outputSchema: z.object({ twice: z.number() }),
    execute: async ({ i }) => ({ twice: 2 * i }),
  });
  return { contenders: { 'AI SDK 7 code mode': (js) => runCodeMode({ js, tools: { twice } }) } };
}

// The AI SDK's code mode, as its documentation shows it for programs that are run directly.
import { experimental_runCodeMode as runCodeMode } from '@ai-sdk/code-mode';
import { tool } from 'ai';
import { z } from 'zod';

export async function peers() {
  const twice = tool({
    description: 'Twice the number.',
    inputSchema: z.object({ i: z.number() }),
    outputSchema: z.object({ twice: z.number() }),
    execute: async ({ i }) => ({ twice: 2 * i }),
  });
  return { contenders: { 'AI SDK 7 code mode': (js) => runCodeMode({ js, tools: { twice } }) } };
}

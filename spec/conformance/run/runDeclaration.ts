import { type Constructor, createApplication, definePrompt, defineSection } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { toolOf } from '../declare/definitions';
import { silentLogger } from '../declare/silentLogger';
import { TypeCatalogue } from '../declare/TypeCatalogue';
import type { Json, Outcome, ToolInput } from '../format';
import { errorOutcome } from './errorOutcome';

/** Declares one tool. */
export async function runTool({ types: specs, tool }: ToolInput): Promise<Outcome> {
  const world = { types: new TypeCatalogue(specs), clock: new FakeClock() };
  const section = defineSection({ key: 'a', title: 'A', tools: [toolOf(tool, world)] });
  return declare(section, async (prompt) => {
    const [declared] = await prompt.tools();
    return { name: declared?.name, description: declared?.description, result_container: declared?.resultContainer };
  });
}

/** Declares one section, for the sake of its key. */
export async function runKey(input: Json): Promise<Outcome> {
  const section = defineSection({ key: String(input['key']), title: 'A' });
  return declare(section, async (prompt) => ({ key: prompt.sections[0]?.path }));
}

type Prompt = Awaited<ReturnType<typeof open>>;

async function declare(section: Constructor, look: (prompt: Prompt) => Promise<Outcome>): Promise<Outcome> {
  try {
    return { ok: true, ...(await look(await open(section))) };
  } catch (error) {
    return { error: errorOutcome(error, 'construct') };
  }
}

async function open(section: Constructor) {
  const definition = definePrompt({ ns: 'demo', key: 'case', sections: [section] });
  const app = await createApplication({ prompts: [definition], logger: silentLogger });
  return app.prompt(definition);
}

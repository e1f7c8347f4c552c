import { createApplication, definePrompt, type RenderedTool } from 'toolwright';
import type { ClassOrThunk } from 'toolwright/types';

/** The tools that an application with these sections offers, in order. */
export async function toolsOf(...sections: readonly ClassOrThunk[]): Promise<readonly RenderedTool[]> {
  const desk = definePrompt({ ns: 'support', key: 'desk', sections });
  const app = await createApplication({ prompts: [desk] });
  return app.prompt(desk).tools();
}

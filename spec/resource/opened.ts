import {
  createApplication,
  definePrompt,
  defineSection,
  type Application,
  type BoundPrompt,
  type Constructor,
} from 'toolwright';
import type { ResourceBinding } from 'toolwright/resources';

/** An application of one prompt. */
export async function opened(
  resources: readonly ResourceBinding[] = [],
  tools: readonly Constructor[] = [],
): Promise<{ readonly app: Application; readonly prompt: BoundPrompt }> {
  const type = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools })] });
  const app = await createApplication({ prompts: [type], resources });
  return { app, prompt: app.prompt(type) };
}

import {
  createApplication,
  definePrompt,
  type ApplicationOptions,
  type Constructor,
  type ToolCall,
  type ToolOutcome,
} from 'toolwright';

/** The outcome of a call in an application with this one section. */
export async function invokeOn(
  section: Constructor,
  name: string,
  args: ToolCall['arguments'] = {},
  options: Pick<ApplicationOptions, 'repair'> = {},
): Promise<ToolOutcome> {
  const desk = definePrompt({ ns: 'support', key: 'desk', sections: [section] });
  const app = await createApplication({ prompts: [desk], ...options });
  return app.invoke(await app.prompt(desk).render(), name, args);
}

import type { Application } from './Application.js';
import type { ApplicationOptions } from './ApplicationOptions.js';

/**
 * Creates an application: validates every declaration, and has the container build every section.
 *
 * @throws PromptValidationError with every fault of the declarations; ContainerError; DuplicateBindingError; ResourceError E912;
 * what providers of eager resources throw
 * @example
 * const app = await createApplication({ prompts: [SupportDesk], container: fromTypedi(Container) });
 * const response = await app.evaluate(app.prompt(SupportDesk), { adapter, session: new Session() });
 */
export async function createApplication(options: ApplicationOptions): Promise<Application> {
  // Three fifths of the code: a file that only declares does without it (decision 40).
  const { composeApplication } = await import('./composeApplication.js');
  return composeApplication(options);
}

import type { Application } from './Application.js';
import type { ApplicationOptions } from './ApplicationOptions.js';

/**
 * Creates an application: validates every declaration, and builds every section through the container.
 *
 * @throws PromptValidationError with every fault of the declarations; ContainerError; DuplicateBindingError;
 * ResourceError E912; the errors of providers of eager resources
 * @example
 * const app = await createApplication({ prompts: [SupportDesk], container: fromTypedi(Container) });
 * const response = await app.evaluate(app.prompt(SupportDesk), { adapter, session: new Session() });
 */
export async function createApplication(options: ApplicationOptions): Promise<Application> {
  // Three fifths of the code. A file that only declares does not need it (decision 40).
  const { composeApplication } = await import('./composeApplication.js');
  return composeApplication(options);
}

import type { ModuleRef } from '@nestjs/core';
import { NestContainer, type NestContainerOptions } from './NestContainer.js';

/**
 * Lets Nest build the sections and tool classes of an application, and runs guards, pipes, interceptors and filters around their
 * handlers. `ToolwrightModule` does this by itself. Use this function for an application that you create after Nest is initialised.
 *
 * @param moduleRef the `ModuleRef` of any module: `app.get(ModuleRef)`
 * @example
 * const container = fromNest(nest.get(ModuleRef));
 * const app = await createApplication({ prompts: [SupportDesk], container });
 */
export function fromNest(moduleRef: ModuleRef, options: Pick<NestContainerOptions, 'requestFor'> = {}): NestContainer {
  return new NestContainer(moduleRef, options);
}

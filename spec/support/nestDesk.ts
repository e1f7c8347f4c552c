import { Module, type INestApplicationContext, type Provider, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Prompt, type ToolOutcome } from 'toolwright';
import type { PromptExtension } from 'toolwright/adapters';
import { Toolwright, ToolwrightModule, type ToolwrightModuleOptions } from '@toolwright/nestjs';
import { silent } from './silent.js';

/** A Nest application with one prompt. */
export interface NestDesk {
  readonly toolwright: Toolwright;
  /** @param request the request of the call; a call without a user when left out */
  call(name: string, args?: object, request?: object, ids?: Readonly<Record<string, string>>): Promise<ToolOutcome>;
}

/** The applications that `closeNest` closes. */
export const openNest: INestApplicationContext[] = [];

export async function closeNest(): Promise<void> {
  for (const nest of openNest.splice(0)) await nest.close();
}

/** Starts a desk of the sections, without HTTP. */
export async function startDesk(
  sections: readonly Type[],
  providers: readonly Provider[] = [],
  options: ToolwrightModuleOptions = {},
  extensions: readonly PromptExtension[] = [],
): Promise<NestDesk> {
  @Prompt({ ns: 'shop', key: 'desk', sections, extensions })
  class DeskPrompt {}
  @Module({
    imports: [ToolwrightModule.forRoot({ logger: silent, ...options })],
    providers: [DeskPrompt, ...sections.filter((type) => type.name !== ''), ...providers],
  })
  class AppModule {}
  const nest = await Test.createTestingModule({ imports: [AppModule] }).compile();
  nest.useLogger(false);
  await nest.init();
  openNest.push(nest);
  const toolwright = nest.get(Toolwright);
  const { app } = toolwright;
  return {
    toolwright,
    call: async (name, args = {}, request, ids) => {
      const rendered = await app.prompt(DeskPrompt).render();
      if (request === undefined) return app.invoke(rendered, name, args as never, { runMetadata: ids });
      return toolwright.withRequest(
        request,
        (runMetadata) => app.invoke(rendered, name, args as never, { runMetadata }),
        ids,
      );
    },
  };
}

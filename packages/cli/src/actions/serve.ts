import type * as mcp from '@toolwright/mcp';
import type { AppOptions, CommandContext } from '../Context.js';
import { loadPackage } from '../load/loadPackage.js';
import { selectPrompt, withApplication } from '../load/withApplication.js';

export interface ServeOptions extends AppOptions {
  readonly mcp?: boolean;
  readonly http?: number | true;
}

/** `toolwright serve --mcp` */
export function serve(context: CommandContext, options: ServeOptions): Promise<void> {
  return withApplication(context, options, async (loaded) => {
    const needed = { name: '@toolwright/mcp', place: 'serve --mcp' };
    const { serveMcp } = await loadPackage<typeof mcp>(context.folder, needed);
    const { terminal, signal } = context;
    const server = serveMcp(loaded.app, selectPrompt(loaded, options.prompt), {
      session: () => loaded.session(),
      runMetadata: () => loaded.runMetadata,
    });
    signal.addEventListener('abort', () => void server.close());
    if (options.http === undefined) {
      context.releaseOutput();
      await server.connectStdio();
    } else {
      const address = await server.listen(options.http === true ? {} : { port: options.http });
      if (options.json === true) terminal.json({ url: address });
      else terminal.data(address);
      terminal.note('Ctrl-C ends it.');
    }
    await server.closed;
  });
}

import { CliError } from '../CliError.js';
import type { AppOptions, CommandContext } from '../Context.js';
import { promptOf, withApplication } from '../load/withApplication.js';

export interface ServeOptions extends AppOptions {
  readonly mcp?: boolean;
  readonly http?: number | true;
}

/** `toolwright serve --mcp` */
export function serve(context: CommandContext, options: ServeOptions): Promise<void> {
  return withApplication(context, options, async (loaded) => {
    const { serveMcp } = await needed(() => import('../../integration/mcp/index.js'));
    const { terminal, signal } = context;
    const server = serveMcp(loaded.app, promptOf(loaded, options.prompt), {
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

async function needed<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const name = '@modelcontextprotocol/sdk';
    throw new CliError(`${name} is not installed`, {
      code: 'E969',
      place: 'serve --mcp',
      remedy: `npm install ${name}`,
      cause,
    });
  }
}

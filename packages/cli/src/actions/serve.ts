import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as mcp from '@toolwright/mcp';
import { CliError } from '../CliError.js';
import type { AppOptions, CommandContext } from '../Context.js';
import { loadPackage } from '../load/loadPackage.js';
import { writeFiles } from '../init/writeFiles.js';
import { writeServerJson } from '../writeServerJson.js';
import { selectPrompt, withApplication } from '../load/withApplication.js';

export interface ServeOptions extends AppOptions {
  readonly mcp?: boolean;
  readonly http?: number | true;
  readonly serverJson?: boolean;
}

/** `toolwright serve --mcp`, and `toolwright serve --server-json`, which only writes the file for the registry. */
export async function serve(context: CommandContext, options: ServeOptions): Promise<void> {
  if (options.serverJson === true) {
    writeRegistryFile(context, options);
    return;
  }
  if (options.mcp !== true)
    throw new CliError('expected --mcp or --server-json', {
      code: 'E973',
      place: 'serve',
      remedy: 'Write toolwright serve --mcp, or toolwright serve --server-json.',
    });
  await withApplication(context, options, async (loaded) => {
    const needed = { name: '@toolwright/mcp', place: 'serve --mcp' };
    const { serveMcp } = await loadPackage<typeof mcp>(context.folder, needed, loaded.format);
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

function writeRegistryFile({ folder, terminal }: CommandContext, { json }: ServeOptions): void {
  const file = join(folder, 'server.json');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const after = writeServerJson(folder, before);
  if (after !== before) writeFiles(folder, [{ path: 'server.json', before, after }]);
  if (json === true) terminal.json({ files: ['server.json'] });
  else terminal.data('server.json');
}

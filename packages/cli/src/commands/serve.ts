import type { Command } from 'commander';
import type { CommandContext } from '../Context.js';
import type { ServeOptions } from '../actions/serve.js';
import { onApplication, port, withMetadata } from '../options.js';

/** Declares `toolwright serve`. */
export function addServe(program: Command, context: CommandContext): void {
  withMetadata(onApplication(program.command('serve')))
    .description('serve a prompt to MCP clients: on standard input and output, or over HTTP on this machine')
    .requiredOption('--mcp', 'as an MCP server')
    .option('--http [port]', 'over HTTP, on any free port when left out', port)
    .action(async (options: ServeOptions) => (await import('../actions/serve.js')).serve(context, options));
}

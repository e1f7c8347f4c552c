import type { Application, RenderedPrompt, RenderedTool } from 'toolwright';
import type { SchemaTarget } from 'toolwright/adapters';
import type { SessionPort } from 'toolwright/conversations';
import { didYouMean } from 'toolwright/internal/light';
import { CliError } from '../CliError.js';
import type { AppOptions, CommandContext } from '../Context.js';
import { selectPrompt, withApplication, parseOpenOption } from '../load/withApplication.js';
import { formatTable } from '../terminal/formatTable.js';
import { line, type TerminalText } from '../terminal/TerminalText.js';
import { formats, type ToolFormat } from '../toolFormats.js';
import { loadTokenCount } from '../loadTokenCount.js';

export interface ToolsOptions extends AppOptions {
  readonly open?: readonly string[];
  readonly format?: ToolFormat | 'ts';
  readonly strict: boolean;
}

export function tools(context: CommandContext, names: readonly string[], options: ToolsOptions): Promise<void> {
  return withApplication(context, options, async (loaded) => {
    const session = await loaded.session();
    const prompt = selectPrompt(loaded, options.prompt);
    const rendered = await prompt.render({ session, visibilityOverrides: parseOpenOption(prompt, options.open) });
    const tools = await selectTools(rendered, names, session);
    if (options.format === 'ts') return showDeclarations(context, loaded.app, rendered, names);
    if (options.format === undefined) return showList(context, rendered, tools, options.json === true);
    showSchemas(context, tools, options);
  });
}

/** Selects tools by their names; all of them without names. @throws CliError E966 */
export async function selectTools(
  rendered: RenderedPrompt,
  names: readonly string[],
  session: SessionPort,
): Promise<readonly RenderedTool[]> {
  const { tools, toolsByName } = rendered;
  if (names.length === 0) return tools;
  const missing = names.find((name) => !toolsByName.has(name));
  if (missing !== undefined) throw await createMissingToolError(rendered, missing, session);
  return names.flatMap((name) => toolsByName.get(name) ?? []);
}

/** Creates the error for a tool that does not exist or that belongs to a closed section. */
async function createMissingToolError(rendered: RenderedPrompt, name: string, session: SessionPort): Promise<CliError> {
  const closed = await rendered.closedTools(session);
  const found = closed.find((tool) => tool.name === name);
  if (found === undefined) {
    const near = didYouMean(name, [...rendered.toolsByName.keys(), ...closed.map((tool) => tool.name)]);
    return new CliError(`there is no tool "${name}".${near}`, { code: 'E966' });
  }
  // Only the outermost summary above the tool can be opened.
  const keys = found.sectionPath.split('.');
  const paths = keys.map((_key, index) => keys.slice(0, index + 1).join('.'));
  const section = paths.find((path) => rendered.visibility[path] === 'summary') ?? found.sectionPath;
  const remedy = `Open the section: --open ${section}, or --open all.`;
  return new CliError(`the tool "${name}" belongs to the section "${section}", which is closed`, {
    code: 'E966',
    remedy,
  });
}

async function showList(
  { terminal, folder }: CommandContext,
  rendered: RenderedPrompt,
  tools: readonly RenderedTool[],
  json: boolean,
): Promise<void> {
  const { rehearses } = await import('toolwright/own-loop');
  const { count, label } = await loadTokenCount(folder);
  const rows = tools.map((tool) => ({
    name: tool.name,
    section: tool.sectionPath,
    rehearsal: rehearses(rendered, tool.name),
    tokens: count(JSON.stringify(tool.schemaFor('json-schema', {}))),
    description: tool.description,
    hints: tool.hints,
  }));
  if (json) {
    terminal.json(rows);
    return;
  }
  const head = ['tool', 'section', 'rehearsal', 'tokens', 'description'];
  terminal.data(
    await formatTable(
      terminal,
      head,
      rows.map((row) => [row.name, row.section, row.rehearsal ?? 'no', String(row.tokens), row.description]),
    ),
  );
  terminal.note(`tokens: ${label}`);
}

function showSchemas(
  { terminal }: CommandContext,
  tools: readonly RenderedTool[],
  { format = 'json-schema', strict, json = false }: ToolsOptions,
): void {
  const { target, write } = formats[format as ToolFormat];
  const lowered = tools.map((tool) => ({ tool, schema: tool.schemaFor(target, { strict }) }));
  const losses = lowered.flatMap(({ tool, schema }) => schema.losses.map((loss) => ({ tool: tool.name, ...loss })));
  const written = write(lowered.map(({ tool, schema }) => ({ ...schema, hints: tool.hints })));
  if (json) {
    terminal.json({ tools: written, losses });
    return;
  }
  terminal.json(written);
  showLosses(terminal.note.bind(terminal), target, losses);
}

function showLosses(
  note: (text: TerminalText | string) => void,
  target: SchemaTarget,
  losses: readonly {
    readonly tool: string;
    readonly path: string;
    readonly keyword: string;
    readonly became: string;
  }[],
): void {
  if (losses.length === 0) {
    note(`${target}: nothing is lost.`);
    return;
  }
  note(`${target} cannot express (the arguments are checked all the same):`);
  for (const { tool, path, keyword, became } of losses)
    note(line`  ${tool} ${path === '' ? '/' : path}: ${keyword} (${became})`);
}

async function showDeclarations(
  { terminal, folder }: CommandContext,
  app: Application,
  rendered: RenderedPrompt,
  names: readonly string[],
): Promise<void> {
  const { writeTypeScript: typeScriptOf } = await import('../typeScriptOf.js');
  terminal.exact(await typeScriptOf(folder, app, rendered, names));
}

import type { RenderedPrompt } from 'toolwright';
import type { AppOptions, CommandContext } from '../Context.js';
import { selectPrompt, withApplication, parseOpenOption } from '../load/withApplication.js';
import { bindParams } from '../bindParams.js';
import { formatTable } from '../terminal/formatTable.js';
import { loadTokenCount } from '../loadTokenCount.js';

export interface RenderOptions extends AppOptions {
  readonly param?: readonly string[];
  readonly open?: readonly string[];
  readonly format: 'text' | 'messages';
  readonly tokens?: boolean;
}

export function render(context: CommandContext, options: RenderOptions): Promise<void> {
  return withApplication(context, options, async (loaded) => {
    const { terminal, folder } = context;
    const prompt = bindParams(selectPrompt(loaded, options.prompt), options.param ?? [], folder);
    const visibilityOverrides = parseOpenOption(prompt, options.open);
    const rendered = await prompt.render({ session: await loaded.session(), visibilityOverrides });
    if (options.tokens === true || options.json === true) return showTokens(context, rendered, options.json === true);
    if (options.format === 'messages') {
      terminal.json([{ role: 'system', content: rendered.text }]);
      return;
    }
    terminal.exact(rendered.text);
  });
}

async function showTokens(
  { terminal, folder }: CommandContext,
  rendered: RenderedPrompt,
  json: boolean,
): Promise<void> {
  const { count, label } = await loadTokenCount(folder);
  const total = count(rendered.text);
  const tools = count(JSON.stringify(rendered.toolSchemas('json-schema')));
  const sections = rendered.sections.map(({ path, number, title, visibility, start, end }) => ({
    path,
    number,
    title,
    visibility,
    tokens: count(rendered.text.slice(start, end)),
  }));
  if (json) {
    const { text, fingerprint } = rendered;
    terminal.json({ text, fingerprint, sections, tokens: { label, text: total, tools } });
    return;
  }
  const share = (tokens: number): string => `${String(Math.round((100 * tokens) / Math.max(1, total)))} %`;
  const rows = sections.map(({ path, number, title, visibility, tokens }) => [
    number,
    path,
    visibility,
    String(tokens),
    share(tokens),
    title,
  ]);
  terminal.data(await formatTable(terminal, ['#', 'section', 'shown', 'tokens', 'share', 'title'], rows));
  terminal.data(`\ntext ${String(total)}, tools ${String(tools)} tokens (${label})`);
}

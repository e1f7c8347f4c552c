import type { ToolOutcome } from 'toolwright';
import { copyOwnOptions } from 'toolwright/internal/light';
import type { Rehearsal } from 'toolwright/own-loop';
import { SecretCollector, getApplicationParts } from 'toolwright/internal';
import type { AppOptions, CommandContext } from '../Context.js';
import { readArgument, parseJson } from '../input.js';
import { deniesAll, selectPrompt, withApplication, parseOpenOption } from '../load/withApplication.js';
import type { Loaded } from '../load/loadApplication.js';
import { formatChanges } from '../formatChanges.js';
import { canShowSecrets, type SecretsOptions } from '../canShowSecrets.js';
import { green, red } from '../terminal/TerminalText.js';
import { selectTools } from './tools.js';

export interface InvokeOptions extends AppOptions, SecretsOptions {
  readonly open?: readonly string[];
  readonly commit?: boolean;
}

export async function call(
  context: CommandContext,
  name: string,
  given: string,
  options: InvokeOptions,
): Promise<void> {
  const showsSecrets = canShowSecrets(context, options);
  const work = async (loaded: Loaded): Promise<void> => {
    const args = parseJson(await readArgument(given, context.folder), 'arguments') as Readonly<Record<string, unknown>>;
    const session = await loaded.session();
    const prompt = selectPrompt(loaded, options.prompt);
    const rendered = await prompt.render({ session, visibilityOverrides: parseOpenOption(prompt, options.open) });
    const [tool] = await selectTools(rendered, [name], session);
    const call = { id: 'cli', name: tool?.name ?? name, arguments: args };
    const { signal } = context;
    const { runMetadata } = loaded;
    if (copyOwnOptions(options).commit === true) {
      const { interceptors, redaction } = getApplicationParts(loaded.app).services;
      const secrets = new SecretCollector(redaction);
      interceptors.add(secrets);
      const outcome = await loaded.app.callTool(rendered, call, { session, signal, runMetadata });
      showOutcome(context, { outcome: showsSecrets ? outcome : secrets.hideSecrets(outcome) }, options.json === true);
      return;
    }
    const { rehearse } = await import('toolwright/own-loop');
    const rehearsal = await rehearse(loaded.app, rendered, call, {
      session,
      signal,
      runMetadata,
      showSecrets: showsSecrets,
    });
    showOutcome(context, rehearsal, options.json === true);
  };
  await withApplication(context, options, work, deniesAll);
}

interface Shown extends Partial<Omit<Rehearsal, 'outcome'>> {
  readonly outcome: ToolOutcome;
}

function showOutcome({ terminal, fail }: CommandContext, { outcome, ran, changed }: Shown, json: boolean): void {
  const isGood = outcome.kind === 'succeeded';
  if (!isGood) fail();
  const { kind, text, result } = outcome;
  if (json) {
    terminal.json({ kind, text, value: result.value, rehearsed: ran ?? false, changed });
    return;
  }
  const how = ran === undefined ? 'committed' : `rehearsed (${ran}), nothing was kept`;
  terminal.note(isGood ? green(`✔ ${how}`) : red(`✘ ${kind}, nothing was kept`));
  terminal.data(text);
  if (changed !== undefined && isGood) terminal.note(formatChanges(changed));
}

import type { ToolOutcome } from 'toolwright';
import { ownOptions } from 'toolwright/internal/light';
import type { Rehearsal } from 'toolwright/own-loop';
import { CallSecrets, getApplicationParts } from 'toolwright/internal';
import type { AppOptions, CommandContext } from '../Context.js';
import { givenText, parseJson } from '../input.js';
import { deniesAll, promptOf, withApplication } from '../load/withApplication.js';
import type { Loaded } from '../load/loadApplication.js';
import { openedSections } from '../openedSections.js';
import { changesText } from '../changesText.js';
import { secretsShown, type SecretsOptions } from '../secretsShown.js';
import { green, red } from '../terminal/TerminalText.js';
import { toolsNamed } from './tools.js';

export interface CallOptions extends AppOptions, SecretsOptions {
  readonly open?: readonly string[];
  readonly commit?: boolean;
}

/** `toolwright call` */
export async function call(context: CommandContext, name: string, given: string, options: CallOptions): Promise<void> {
  const showsSecrets = secretsShown(context, options);
  const work = async (loaded: Loaded): Promise<void> => {
    const args = parseJson(await givenText(given, context.folder), 'arguments') as Readonly<Record<string, unknown>>;
    const session = await loaded.session();
    const prompt = promptOf(loaded, options.prompt);
    const rendered = await prompt.render({ session, visibilityOverrides: openedSections(prompt, options.open) });
    const [tool] = await toolsNamed(rendered, [name], session);
    const call = { id: 'cli', name: tool?.name ?? name, arguments: args };
    const { signal } = context;
    const { runMetadata } = loaded;
    if (ownOptions(options).commit === true) {
      const { interceptors, redaction } = getApplicationParts(loaded.app).services;
      const secrets = new CallSecrets(redaction);
      interceptors.add(secrets);
      const outcome = await loaded.app.callTool(rendered, call, { session, signal, runMetadata });
      show(context, { outcome: showsSecrets ? outcome : secrets.hiddenIn(outcome) }, options.json === true);
      return;
    }
    const { rehearse } = await import('toolwright/own-loop');
    const rehearsal = await rehearse(loaded.app, rendered, call, {
      session,
      signal,
      runMetadata,
      showSecrets: showsSecrets,
    });
    show(context, rehearsal, options.json === true);
  };
  await withApplication(context, options, work, deniesAll);
}

interface Shown extends Partial<Omit<Rehearsal, 'outcome'>> {
  readonly outcome: ToolOutcome;
}

function show({ terminal, fail }: CommandContext, { outcome, ran, changed }: Shown, json: boolean): void {
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
  if (changed !== undefined && isGood) terminal.note(changesText(changed));
}

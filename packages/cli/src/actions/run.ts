import { stdin } from 'node:process';
import type { ModelAdapter } from 'toolwright';
import { copyOwnOptions } from 'toolwright/internal/light';
import { CliError } from '../CliError.js';
import type { AppOptions, CommandContext } from '../Context.js';
import type { Loaded } from '../load/loadApplication.js';
import { selectPrompt, withApplication } from '../load/withApplication.js';
import { readLines } from '../input.js';
import { bindParams } from '../bindParams.js';
import { readScript } from '../run/readScript.js';
import { Talk } from '../run/Talk.js';
import { TerminalApprover, type ApproveMode } from '../run/TerminalApprover.js';
import { writePrivate } from '../run/writePrivate.js';
import { canShowSecrets, type SecretsOptions } from '../canShowSecrets.js';
import { Questions } from '../terminal/Questions.js';
import { line } from '../terminal/TerminalText.js';

export interface AskOptions extends AppOptions, SecretsOptions {
  readonly script?: string;
  readonly param?: readonly string[];
  readonly approve: ApproveMode;
  readonly record?: string;
}

export async function run(context: CommandContext, messages: readonly string[], options: AskOptions): Promise<void> {
  const approver = new TerminalApprover(context.terminal, options.approve, canShowSecrets(context, options));
  const work = (loaded: Loaded): Promise<void> => {
    approver.app = loaded.app;
    return runConversation(context, loaded, { messages, approver, options });
  };
  await withApplication(context, options, work, approver);
}

interface Conversing {
  readonly messages: readonly string[];
  readonly approver: TerminalApprover;
  readonly options: AskOptions;
}

async function runConversation(
  context: CommandContext,
  loaded: Loaded,
  { messages, approver, options }: Conversing,
): Promise<void> {
  const { terminal, folder } = context;
  const prompt = bindParams(selectPrompt(loaded, options.prompt), options.param ?? [], folder);
  const adapter = await loadAdapter(loaded, options.script, folder);
  const { Conversation } = await import('toolwright/conversations');
  const { recordBundle } = await import('toolwright/bundles');
  const recording = options.record === undefined ? undefined : recordBundle(loaded.app);
  const { json = false } = copyOwnOptions(options);
  const session = await loaded.session();
  const conversation = new Conversation({ session: 'apart' });
  const dialogue = new Talk(context, { loaded, prompt, adapter, session, conversation, approver, json });
  try {
    if (messages.length > 0) for (const message of messages) if (!(await dialogue.say(message))) context.fail();
    if (messages.length === 0) await converse(context, dialogue, adapter.name);
  } finally {
    if (recording !== undefined && options.record !== undefined) {
      writePrivate(options.record, folder, recording.lines());
      terminal.note(line`The run is in ${options.record}: toolwright trace ${options.record}`);
    }
  }
}

async function loadAdapter(loaded: Loaded, script: string | undefined, folder: string): Promise<ModelAdapter> {
  if (script !== undefined) {
    const turns = readScript(script, folder);
    const { ScriptedModel } = await import('toolwright/testing');
    return new ScriptedModel(turns);
  }
  const adapter = await loaded.adapter();
  if (typeof adapter?.complete === 'function') return adapter;
  const problem = adapter === undefined ? 'it exports no adapter' : 'its export adapter has no method complete';
  throw new CliError(problem, { code: 'E971', place: loaded.place });
}

/** Sends one message after the other, from a person or from a pipe. */
async function converse(context: CommandContext, dialogue: Talk, model: string): Promise<void> {
  if (!Questions.canAsk) {
    for await (const said of readLines(stdin as AsyncIterable<Buffer>))
      if (said.trim() !== '' && !(await dialogue.say(said))) context.fail();
    return;
  }
  const questions = new Questions(context.terminal);
  await questions.begin(line`${model}. Ctrl-C at the prompt ends it.`);
  for (;;) {
    const said = await questions.text('You');
    if (said === undefined) break;
    if (said.trim() !== '') await dialogue.say(said);
  }
  await questions.end('Bye.');
}

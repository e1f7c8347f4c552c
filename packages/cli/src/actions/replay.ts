import type { JsonValue, Message } from 'toolwright';
import { messageOf } from 'toolwright/internal/light';
import { bindParams, bindRecorded } from '../bindParams.js';
import { CliError } from '../CliError.js';
import type { AppOptions, CommandContext } from '../Context.js';
import type { Loaded } from '../load/loadApplication.js';
import { selectPrompt, withApplication } from '../load/withApplication.js';
import { listCauses } from '../errors.js';
import { readRecorded, type Recorded } from '../readRecorded.js';
import { openSession } from '../replay/openSession.js';
import { writeTest, type TestOptions } from '../replay/writeTest.js';
import { block, green, line, red } from '../terminal/TerminalText.js';

export interface ReplayOptions extends AppOptions, TestOptions {
  readonly param?: readonly string[];
}

/** A recorded run and the state before it. */
interface RecordedRun {
  readonly prompt?: string | undefined;
  readonly params?: Readonly<Record<string, JsonValue>> | undefined;
  readonly transcript: readonly Message[];
  readonly messages: readonly Message[];
  readonly session?: unknown;
}

export async function replay(context: CommandContext, file: string, options: ReplayOptions): Promise<void> {
  if (options.writeTest !== undefined) return writeTest(context, file, options);
  const record = await selectRecord(await readRecorded(file, context.folder), options.run, file);
  await withApplication(context, options, (loaded) => replayRecord(context, loaded, record, options));
}

async function selectRecord(recorded: Recorded, run: string | undefined, file: string): Promise<RecordedRun> {
  if (recorded.kind === 'bundle') {
    const { replayOf } = await import('toolwright/bundles');
    return replayOf(recorded.bundle, run);
  }
  const transcript = recorded.messages;
  const asked = transcript.findIndex(({ role }) => role === 'assistant');
  const messages = transcript.slice(0, asked).filter(({ role }) => role === 'user');
  if (asked >= 0) return { transcript, messages };
  throw new CliError('it does not contain an answer of a model', { code: 'E970', place: file });
}

async function replayRecord(
  { terminal, folder, fail, signal }: CommandContext,
  loaded: Loaded,
  record: RecordedRun,
  options: ReplayOptions,
): Promise<void> {
  const selected = bindRecorded(selectPrompt(loaded, options.prompt ?? record.prompt), record.params);
  const prompt = bindParams(selected, options.param ?? [], folder);
  const { ReplayModel, ReplayDivergenceError } = await import('toolwright/testing');
  const adapter = new ReplayModel(record.transcript);
  const session = await openSession(loaded, record.session);
  try {
    await loaded.app.evaluate(prompt, { adapter, session, messages: record.messages, signal });
    adapter.assertEnded();
  } catch (error) {
    const diverged = listCauses(error).find((value) => value instanceof ReplayDivergenceError);
    if (diverged === undefined) throw error;
    fail();
    const { index, recorded, came } = diverged;
    if (options.json === true) {
      terminal.json({ same: false, message: index + 1, recorded, came });
      return;
    }
    terminal.data(line`${red('✘')} ${block(messageOf(diverged))}`);
    return;
  }
  if (options.json === true) {
    terminal.json({ same: true, messages: record.transcript.length });
    return;
  }
  terminal.data(line`${green('✔')} ${record.transcript.length} messages, the same as recorded`);
}

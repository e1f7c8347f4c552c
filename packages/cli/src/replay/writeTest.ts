import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { CliError, createWriteError } from '../CliError.js';
import type { AppOptions, CommandContext } from '../Context.js';
import { readManifest, detectTestRunner } from '../doctor/installedPackages.js';
import { formatPath, splitAppPath } from '../input.js';
import { findModuleFormat } from '../load/findModuleFormat.js';
import type { TestRunner } from '../options.js';
import { readRecorded } from '../readRecorded.js';
import { green, line } from '../terminal/TerminalText.js';

export interface TestOptions extends AppOptions {
  readonly run?: string;
  readonly writeTest?: string;
  readonly runner?: TestRunner;
  readonly promptClass?: string;
}

/** Writes a test that replays a run of a bundle. @throws CliError E970; ToolwrightError E752 */
export async function writeTest(context: CommandContext, path: string, options: TestOptions): Promise<void> {
  const { folder, terminal } = context;
  const { app = 'app.js', promptClass, run, writeTest: name = '' } = options;
  const recorded = await readRecorded(path, folder);
  if (recorded.kind !== 'bundle')
    throw new CliError('it is a transcript; a test is made of a bundle', { code: 'E970', place: path });
  const test = resolve(folder, name);
  const runner = options.runner ?? detectTestRunner(readManifest(folder));
  const format = findModuleFormat(test);
  const { replayTest } = await import('toolwright/bundles');
  const file = toImportPath(test, resolve(folder, path));
  const module = toImportPath(test, resolve(folder, splitAppPath(app, folder).path)).replace(/\.([cm]?)ts$/, '.$1js');
  write(test, name, replayTest(recorded.bundle, { run, file, app: module, promptClass, runner, format }));
  const shown = formatPath(test, folder);
  if (options.json === true) terminal.json({ file: shown, runner, format });
  else terminal.data(line`${green('+')} ${shown} (${runner === 'node' ? 'node --test' : runner})`);
  terminal.note(line`${module} has to export createApp and ${promptClass ?? 'AgentPrompt'}: --app and --prompt-class.`);
}

function toImportPath(from: string, file: string): string {
  const path = relative(dirname(from), file).split(sep).join('/');
  // A folder name may begin with a dot.
  return /^\.{1,2}\//.test(path) ? path : `./${path}`;
}

/** Writes a new file. @throws CliError E970, also if the file exists, because a test may have been changed by hand */
function write(file: string, place: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx' });
  } catch (cause) {
    throw createWriteError(place, cause, 'Name a file that is not there yet, and can be written.');
  }
}

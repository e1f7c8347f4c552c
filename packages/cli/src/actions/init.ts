import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { CliError, createWriteError } from '../CliError.js';
import type { CommandContext } from '../Context.js';
import { writeProject, type ProjectFiles, readOwnRanges } from '../init/writeProject.js';
import type { ProjectKind } from '../options.js';
import { writeFiles } from '../init/writeFiles.js';
import { formatPath } from '../input.js';
import { Questions } from '../terminal/Questions.js';
import { showSteps } from '../terminal/Terminal.js';
import { green, joinLines, line } from '../terminal/TerminalText.js';

export interface InitOptions {
  readonly kind?: ProjectKind;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export async function init(context: CommandContext, given: string | undefined, options: InitOptions): Promise<void> {
  const { terminal } = context;
  const isAsking = options.yes !== true && options.json !== true && Questions.canAsk;
  const asked = isAsking
    ? await askForProject(new Questions(terminal), given, options.kind)
    : { folder: given, kind: options.kind };
  if (asked === undefined) {
    context.fail();
    return;
  }
  const folder = resolve(context.folder, asked.folder ?? '.');
  const files = writeProject(asked.kind ?? 'plain', { name: chooseName(folder), ...readOwnRanges() });
  write(folder, files);
  const names = Object.keys(files);
  const shown = formatPath(folder, context.folder);
  if (options.json === true) {
    terminal.json({ folder, files: names });
    return;
  }
  terminal.data(joinLines(names.map((name) => line`${green('+')} ${join(shown === folder ? '' : shown, name)}`)));
  const steps = [...(folder === context.folder ? [] : [`cd ${shown}`]), 'npm install', 'npm test'];
  showSteps(terminal, steps);
}

async function askForProject(
  questions: Questions,
  folder: string | undefined,
  kind: ProjectKind | undefined,
): Promise<{ readonly folder: string; readonly kind: ProjectKind } | undefined> {
  const place = folder ?? (await questions.text('Which folder?', '.'));
  if (place === undefined) return undefined;
  const kinds = [
    { value: 'plain' as const, hint: 'an agent with a test' },
    { value: 'nest' as const, hint: 'an agent in a Nest application' },
  ];
  if (kind !== undefined) return { folder: place, kind };
  const answer = await questions.select('What kind of project?', kinds);
  const chosen = kinds.find(({ value }) => value === answer);
  return chosen === undefined ? undefined : { folder: place, kind: chosen.value };
}

/** Chooses a package name that npm accepts. */
function chooseName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'my-agent' : name;
}

/** @throws CliError E970, E972 */
function write(folder: string, files: ProjectFiles): void {
  const [first, ...others] = countFiles(folder);
  if (first !== undefined)
    throw new CliError(`it holds ${first}${others.length > 0 ? ' and more' : ''}`, { code: 'E972', place: folder });
  writeFiles(
    folder,
    Object.entries(files).map(([path, after]) => ({ path, after })),
  );
}

function countFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder).filter((name) => name !== '.git');
  } catch (cause) {
    throw createWriteError(folder, cause, 'Name a folder that can be written.');
  }
}

import { getApplicationParts } from 'toolwright/internal';
import type { BoundPrompt, RunMetadata } from 'toolwright';
import { didYouMean } from 'toolwright/internal/light';
import type { Approver } from 'toolwright/policies';
import { CliError } from '../CliError.js';
import type { AppOptions, CommandContext } from '../Context.js';
import { loadApplication, type Loaded } from './loadApplication.js';

/** Denies every approval, because a person is asked only in a conversation. */
export const deniesAll: Approver = {
  approve: () => ({ kind: 'denied', reason: 'Only toolwright run asks for approvals.' }),
};

/**
 * Loads the application, runs the work on it, and closes it. A named prompt has to exist, even for work on all prompts.
 *
 * @param approver answers all approvals, even if the module has its own approver, which may wait for a person elsewhere. When left out,
 * the module's own approver answers, or the one that denies everything
 * @throws CliError E965, E968, and errors of loading and of the work
 */
export async function withApplication<T>(
  { folder }: CommandContext,
  { app, prompt, metadata }: AppOptions,
  work: (loaded: Loaded) => Promise<T>,
  approver?: Approver,
): Promise<T> {
  const given = { approver: approver ?? deniesAll, runMetadata: readMetadata(metadata) };
  const loaded = await loadApplication(app, folder, given);
  if (approver !== undefined)
    (getApplicationParts(loaded.app).services as { approver?: Approver | undefined }).approver = approver;
  try {
    if (prompt !== undefined) selectPrompt(loaded, prompt);
    return await work(loaded);
  } catch (error) {
    // The error of a handler may hold the secrets of its call.
    throw getApplicationParts(loaded.app).services.redaction.redact(error);
  } finally {
    await loaded.close();
  }
}

/** Reads metadata given as `name=value`. @throws CliError E968 */
export function readMetadata(given: readonly string[] = []): RunMetadata {
  const entries = given.map((each) => {
    const [, name, value] = /^([^=]+)=([^]*)$/.exec(each) ?? [];
    if (name !== undefined && value !== undefined) return [name, value] as const;
    const remedy = 'Give --metadata name=value, such as --metadata user=1; repeat it for other names.';
    throw new CliError('expected name=value', { code: 'E968', place: `--metadata ${each}`, remedy });
  });
  return Object.freeze(Object.fromEntries(entries));
}

/** Selects the named prompt, or the only one. @throws CliError E965 */
export function selectPrompt({ app, place }: Loaded, name: string | undefined): BoundPrompt {
  const prompts = [...getApplicationParts(app).prompts.values()];
  const names = prompts.map(nameOf);
  const [only] = prompts;
  if (name === undefined && prompts.length === 1 && only !== undefined) return only;
  if (name === undefined)
    throw new CliError(`it has ${String(names.length)} prompts: ${names.join(', ')}`, { code: 'E965', place });
  const found = prompts.find((prompt) => nameOf(prompt) === name || prompt.key === name);
  if (found !== undefined) return found;
  const near = didYouMean(name, [...names, ...prompts.map(({ key }) => key)]);
  throw new CliError(`there is no prompt "${name}".${near === '' ? ` There are: ${names.join(', ')}.` : near}`, {
    code: 'E965',
    place,
  });
}

/** Returns the name of a prompt as `ns/key`. */
export function nameOf({ ns, key }: Pick<BoundPrompt, 'ns' | 'key'>): string {
  return `${ns}/${key}`;
}

/** Parses `--open` into overrides that show its sections in full; `all` means every section. @throws CliError E973 */
export function parseOpenOption(prompt: BoundPrompt, open: readonly string[] = []): Readonly<Record<string, 'full'>> {
  const paths = prompt.sections.map(({ path }) => path);
  const wrong = open.find((each) => each !== 'all' && !paths.includes(each));
  if (wrong !== undefined) {
    const near = didYouMean(wrong, paths);
    const problem = `there is no section "${wrong}".${near === '' ? ` There are: ${paths.join(', ')}.` : near}`;
    throw new CliError(problem, { code: 'E973', place: '--open', remedy: 'Name one of the sections, or "all".' });
  }
  const opened = open.includes('all') ? paths : open;
  return Object.fromEntries(opened.map((path) => [path, 'full' as const]));
}

import type { BoundPrompt } from 'toolwright';
import { didYouMean } from 'toolwright/internal/light';
import { CliError } from './CliError.js';

/** The overrides that show the sections of `--open` in full; `all` means every one. @throws CliError E973 */
export function openedSections(prompt: BoundPrompt, open: readonly string[] = []): Readonly<Record<string, 'full'>> {
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

import { readFileSync } from 'node:fs';
import { CliError } from '../CliError.js';
import type { CommandContext } from '../Context.js';
import { ownFile } from '../ownFile.js';
import { block, bold, green, line, red } from '../terminal/TerminalText.js';

/** What docs/errors.md says about one code. */
interface Explained {
  readonly code: string;
  readonly title: string;
  readonly meaning: string;
  readonly fix: string;
}

/** `toolwright explain E304` */
export function explain(context: CommandContext, code: string, { json = false }: { readonly json?: boolean }): void {
  const { terminal } = context;
  const found = explained(code.toUpperCase());
  if (json) {
    terminal.json(found);
    return;
  }
  const { title, meaning, fix } = found;
  terminal.data(line`${bold(red(found.code))} ${bold(title)}\n\n${block(meaning)}\n\n${green('Fix:')} ${fix}`);
}

function explained(code: string): Explained {
  const page = readFileSync(ownFile('docs/errors.md'), 'utf8');
  const sections = page.split(/^### /m).slice(1);
  const found = sections.find((section) => section.startsWith(`${code}\n`));
  const [, title = '', meaning = '', fix = ''] = /\*\*(.*?)\.\*\* ([^]*?)\n\nFix: (.*)/.exec(found ?? '') ?? [];
  if (title !== '') return { code, title, meaning, fix };
  throw new CliError(`there is no error ${code}`, { code: 'E974' });
}

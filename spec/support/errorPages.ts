import { cliRemedies, cliTexts } from '../../src/error/codes/cliCodes.js';
import { codeTexts } from '../../src/error/codeTexts.js';
import { remedies } from '../../src/error/remedies.js';

/** Headings by the first characters of a code; the longest match counts. */
const areas: Readonly<Record<string, string>> = {
  E1: 'Tools',
  E2: 'Params and results',
  E3: 'Sections and prompts',
  E4: 'Containers',
  E5: 'Rendering',
  E6: 'Tool calls',
  E65: 'Programs',
  E66: 'Programs',
  E67: 'Programs',
  E68: 'MCP',
  E69: 'MCP',
  E7: 'Runs and adapters',
  E8: 'Sessions',
  E9: 'Resources',
  E95: 'Nest',
  E96: 'The command line',
  E97: 'The command line',
};

/** Writes docs/errors.md from the table of codes. */
export function errorsPage(): string {
  const lines = [
    '# Errors',
    '',
    'Every error of Toolwright has a code, and its message says where it happened and how to fix it. This page lists all',
    'codes. `npm run docs` generates it from `src/error/codes`.',
  ];
  let area = '';
  const fixes = Object.entries({ ...remedies, ...cliRemedies });
  const texts: Readonly<Record<string, { readonly title: string; readonly meaning: string }>> = {
    ...codeTexts,
    ...cliTexts,
  };
  for (const [code, fix] of fixes) {
    const { title = '', meaning = '' } = texts[code] ?? {};
    const heading = areas[code.slice(0, 3)] ?? areas[code.slice(0, 2)] ?? code;
    if (heading !== area) {
      area = heading;
      lines.push('', `## ${heading}`);
    }
    lines.push('', `### ${code}`, '', `**${title}.** ${meaning}`, '', `Fix: ${fix}`);
  }
  return `${lines.join('\n')}\n`;
}

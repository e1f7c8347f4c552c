import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliRemedies } from '../../src/error/cliRemedies.js';
import { evalRemedies } from '../../src/error/evalRemedies.js';
import { remedies } from '../../src/error/remedies.js';

export const errorsFile = join(__dirname, '../../docs/errors.md');

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
  E676: 'MCP',
  E677: 'MCP',
  E678: 'MCP',
  E68: 'MCP',
  E69: 'MCP',
  E7: 'Runs and adapters',
  E8: 'Sessions',
  E9: 'Resources',
  E93: 'MCP tasks',
  E95: 'Nest',
  E96: 'The command line',
  E97: 'The command line',
  E926: 'MCP',
  E927: 'MCP',
  E928: 'MCP',
  E929: 'MCP',
  E930: 'MCP',
  E98: 'The command line',
  E99: 'Evals',
};

/** Titles and meanings by code, as docs/errors.md has them. */
export function readCodeTexts(): Readonly<Record<string, { readonly title: string; readonly meaning: string }>> {
  const page = readFileSync(errorsFile, 'utf8');
  const entries = page.matchAll(/^### (E\d+)\n\n\*\*(.*?)\.\*\* (.*)$/gm);
  return Object.fromEntries([...entries].map(([, code = '', title = '', meaning = '']) => [code, { title, meaning }]));
}

/** Writes docs/errors.md with the titles and meanings that it has, and the codes and remedies of the sources. */
export function errorsPage(): string {
  const lines = [
    '# Errors',
    '',
    'Every error of Toolwright has a code, and its message says where it happened and how to fix it. This page lists all codes.',
  ];
  let area = '';
  const texts = readCodeTexts();
  for (const [code, fix] of Object.entries({ ...remedies, ...cliRemedies, ...evalRemedies })) {
    const { title = '', meaning = '' } = texts[code] ?? {};
    const heading = areas[code] ?? areas[code.slice(0, 3)] ?? areas[code.slice(0, 2)] ?? code;
    if (heading !== area) {
      area = heading;
      lines.push('', `## ${heading}`);
    }
    lines.push('', `### ${code}`, '', `**${title}.** ${meaning}`, '', `Fix: ${fix}`);
  }
  return `${lines.join('\n')}\n`;
}

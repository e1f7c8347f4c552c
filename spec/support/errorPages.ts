import { cliRemedies, cliTexts } from '../../src/error/codes/cliCodes.js';
import { codeTexts } from '../../src/error/codeTexts.js';
import { remedies } from '../../src/error/remedies.js';

const areas: Readonly<Record<string, string>> = {
  E1: 'Tools',
  E2: 'Params and results',
  E3: 'Sections and prompts',
  E4: 'Containers',
  E5: 'Rendering',
  E6: 'Tool calls',
  E7: 'Evaluation and adapters',
  E8: 'Sessions',
  E9: 'Resources, Nest and the command line',
};

/** docs/errors.md, as generated from the table of codes. */
export function errorsPage(): string {
  const lines = [
    '# Errors',
    '',
    'Every failure that Toolwright reports has a code, a place and a remedy. This page is generated from `src/error/codes`',
    'by `npm run docs`; a test compares the two.',
  ];
  let area = '';
  const fixes = Object.entries({ ...remedies, ...cliRemedies });
  const texts: Readonly<Record<string, { readonly title: string; readonly meaning: string }>> = {
    ...codeTexts,
    ...cliTexts,
  };
  for (const [code, fix] of fixes) {
    const { title = '', meaning = '' } = texts[code] ?? {};
    if (!code.startsWith(area) || area === '') {
      area = code.slice(0, 2);
      lines.push('', `## ${areas[area] ?? area}`);
    }
    lines.push('', `### ${code}`, '', `**${title}.** ${meaning}`, '', `Fix: ${fix}`);
  }
  return `${lines.join('\n')}\n`;
}

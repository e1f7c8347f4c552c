import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusing } from '../../src/check/types/diagnostics.js';
import { suppressions } from '../../src/check/types/suppressions.js';
import { discoveryRules } from '../../src/check/types/discoveryRules.js';

const page = join(__dirname, '../../../../docs/tool-chaining.md');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`.replaceAll('| --- |', '|---|'))
    .join('\n');

const codesOf = (codes: readonly number[] = []): string => codes.map((code) => `TS${String(code)}`).join(' ');

/** The text between `<!-- name -->` and `<!-- end -->`. */
const parts: Readonly<Record<string, string>> = {
  refusing: table(
    ['effect at run time', 'suggested fix', 'diagnostics'],
    refusing.map(({ reason, generally, codes }) => [reason, generally, codesOf(codes)]),
  ),
  finders: discoveryRules.map(({ what }) => `- ${what}`).join('\n'),
  suppressions: table(
    ['accepted code', 'diagnostics'],
    suppressions.map(({ what, codes }) => [what, codes === undefined ? 'all' : codesOf(codes)]),
  ),
};

function filled(text: string): string {
  return text.replace(
    /<!-- (?<name>\w+) -->\n[^]*?<!-- end -->/g,
    (whole, name: string) => `<!-- ${name} -->\n\n${parts[name] ?? whole}\n\n<!-- end -->`,
  );
}

it('docs/tool-chaining.md holds the tables of the check (UPDATE_DOCS=1 writes them)', () => {
  const text = readFileSync(page, 'utf8');
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, filled(text));
  expect(readFileSync(page, 'utf8')).toBe(filled(text));
  expect(text.match(/<!-- end -->/g)).toHaveLength(Object.keys(parts).length);
});

it('each diagnostic is in one row', () => {
  const codes = refusing.flatMap((row) => row.codes);
  expect(new Set(codes).size).toBe(codes.length);
});

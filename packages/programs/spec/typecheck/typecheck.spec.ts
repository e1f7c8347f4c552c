import ts from 'typescript';
import { TypeCheck, type CheckedDeclarations } from '../../src/check/types/TypeCheck.js';
import { writeCheckedDeclarations, type DeclaredTool } from '../../src/declare/writeDeclarations.js';
import { loadCases } from './TypeCheckCase.js';

const cases = loadCases();
const typeCheck = new TypeCheck(ts);
const verdicts = new Map<string, string>();

/** As in a toolkit, tools are declared once for all the programs over them. */
const declared = new Map<readonly DeclaredTool[], CheckedDeclarations>();
function declarationsOf(tools: readonly DeclaredTool[]): CheckedDeclarations {
  const known = declared.get(tools) ?? writeCheckedDeclarations(tools);
  declared.set(tools, known);
  return known;
}

const count = (verdict: string): number => [...verdicts.values()].filter((each) => each === verdict).length;

/** `typecheck: …`, once every case has run. */
function closingLine(): string {
  const parts = ['right passed', 'wrong refused', 'false alarms', 'missed'].map((each) => `${count(each)} ${each}`);
  return `typecheck: ${parts.join(', ')}`;
}

describe('programs that models write', () => {
  test.each(cases.map((each) => [each.id, each] as const))(
    'the type check judges the program %s',
    (id, { tools, code, verdict, at }) => {
      const fault = typeCheck.check(code, declarationsOf(tools), true);
      if (verdict === 'ok') {
        verdicts.set(id, fault === null ? 'right passed' : 'false alarms');
        expect(fault).toBeNull();
        return;
      }
      verdicts.set(id, fault === null ? 'missed' : 'wrong refused');
      expect(fault).toMatchObject({ kind: expect.stringMatching(/^(type|reference)$/) as string });
      expect(fault?.hint).toMatch(/\w/);
      expect(fault?.snippet).toBe(code.split('\n')[(fault?.line ?? 0) - 1]?.trim());
      if (at !== undefined) expect(fault?.line).toBe(at.line);
    },
  );

  test('each case counts once in the closing line', () => {
    expect(verdicts.size).toBe(cases.length);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  });

  afterAll(() => {
    // With `-t` some tests do not run: no line is better than one that is wrong.
    if (verdicts.size === cases.length) process.stdout.write(`${closingLine()}\n`);
  });
});

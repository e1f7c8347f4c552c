import 'reflect-metadata';
import { differencesOf } from './compare/compareOutcome';
import type { ConformanceCase, FsOp, Json } from './format';
import { runCase } from './run/runCase';
import { waitsFor } from './waiting';

const fsCase = (ops: readonly Json[], expected: unknown = {}): ConformanceCase => ({
  id: 'fs-x',
  area: 'filesystem',
  kind: 'fs',
  what: 'operations that the cases of this folder do not do',
  input: { ops },
  expected,
});

const file: FsOp = { op: 'write', path: 'src/a.ts', content: 'one\ntwo\n' };

describe('operations on files', () => {
  test.each<[op: FsOp, value: unknown]>([
    [
      { op: 'stat', path: 'src/a.ts' },
      { $type: 'FileStat', name: 'a.ts', path: 'src/a.ts', is_file: true, is_directory: false, size_bytes: 8 },
    ],
    [{ op: 'glob', pattern: '*.ts', path: 'src' }, [{ $type: 'GlobMatch', path: 'src/a.ts', is_file: true }]],
    [
      { op: 'grep', pattern: 'w', glob: '**/*.ts', max_matches: 1 },
      [
        {
          $type: 'GrepMatch',
          path: 'src/a.ts',
          line_number: 2,
          line_content: 'two',
          match_start: 1,
          match_end: 2,
        },
      ],
    ],
    [
      { op: 'edit', path: 'src/a.ts', old_text: 'o', new_text: '0', replace_all: true },
      { $type: 'EditResult', path: 'src/a.ts', replacements: 2 },
    ],
    [{ op: 'list' }, [{ $type: 'FileEntry', name: 'src', path: 'src', is_file: false, is_directory: true }]],
    [
      { op: 'read', path: 'src/a.ts', offset: 1, limit: -1 },
      {
        $type: 'ReadResult',
        path: 'src/a.ts',
        content: 'two',
        total_lines: 2,
        offset: 1,
        limit: 1,
        truncated: false,
      },
    ],
  ])('the runner knows the file operation %j', async (op, value) => {
    expect(waitsFor(fsCase([file, op]))).toBeUndefined();
    const { ops } = await runCase(fsCase([file, op]));
    expect((ops as readonly unknown[])[1]).toEqual({ value });
  });

  test.each([
    [{ op: 'glob', pattern: '[' }, 'invalidPattern'],
    [{ op: 'read', path: 'a\0b' }, 'invalidPath'],
  ])('a ValueError is an invalid path or an invalid pattern: %j', async (op, kind) => {
    const expected = { ops: [{ error: { class: 'ValueError' } }], files: {} };
    const outcome = await runCase(fsCase([op]));
    expect(outcome).toMatchObject({ ops: [{ error: { class: 'FilesystemError', kind } }] });
    expect(differencesOf(fsCase([op], expected), outcome)).toEqual([]);
    const missing = { ...outcome, ops: [{ error: { class: 'FilesystemError', kind: 'notFound' } }] };
    expect(differencesOf(fsCase([op], expected), missing)).toEqual([
      'outcome.ops[0].error.kind: expected "invalidPath or invalidPattern", got "notFound"',
    ]);
  });

  test('only what the case holds is compared in an answer; lists are complete', () => {
    const listed = { ops: [{ value: [{ path: 'a', is_file: true }] }] };
    const differences = (...entries: readonly unknown[]) =>
      differencesOf(fsCase([], listed), { ops: [{ value: entries }] });
    expect(differences({ path: 'a', is_file: true, name: 'a' })).toEqual([]);
    expect(differences({ path: 'a', is_file: false, name: 'a' })).toHaveLength(1);
    expect(differences({ path: 'a', is_file: true }, { path: 'b', is_file: true })).toHaveLength(1);
    expect(differences('a')).toHaveLength(1);
  });

  test.each<[word: string, op: Json]>([
    ['fs op "chmod"', { op: 'chmod', path: 'a' }],
    ['fs op field "colour"', { op: 'read', colour: 1 }],
    ['write mode "sideways"', { op: 'write', path: 'a', mode: 'sideways' }],
  ])('the runner refuses the unknown word %s', (word, op) => {
    expect(() => waitsFor(fsCase([op]))).toThrow(`C3 fs-x: the runner does not know this word: ${word}`);
  });

  test('a snapshot that was never taken is a fault of the case', async () => {
    await expect(runCase(fsCase([{ op: 'restore', from: 's' }]))).rejects.toThrow(/^C3 fs-x: .*snapshot "s"/);
  });
});

import { mkdtempSync, rmSync, statSync, writeFileSync, readFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Message, readTranscript, writeTranscript } from 'toolwright';
import { ReplayModel } from 'toolwright/testing';
import { copyBoundedJson } from 'toolwright/internal';
import { readBundle } from 'toolwright/bundles';
import { readLines, readFirstLine, readInputFile, splitAppPath } from '../../src/input';
import { writePrivate } from '../../src/run/writePrivate';
import { changeAt } from '../../../../spec/support/changeAt';
import { HELD_MS, leastPause } from '../../../../spec/support/hostPause';

const messages: readonly Message[] = [
  { role: 'user', content: 'Count.', parts: [{ kind: 'image', mediaType: 'image/png', url: 'https://a.example/1' }] },
  {
    ...{ role: 'assistant', content: null, native: { provider: 'made up', content: [{}] } },
    toolCalls: [{ id: 'c-1', name: 'count', arguments: { by: 2 }, wireName: 'count' }],
  },
  {
    role: 'tool',
    toolCallId: 'c-1',
    name: 'count',
    content: 'Counted.',
    failed: false,
    tools: { added: ['look'], removed: [] },
  },
  { role: 'assistant', content: 'Two.' },
];
const others: readonly unknown[] = [null, true, 7, '', 'x', [], [null], {}, { length: 1 }];

type Path = readonly string[];

function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

function messagesIn(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? (given as readonly unknown[]) : [given];
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

const withArguments = (given: unknown): readonly Message[] =>
  changeAt(messages, ['1', 'toolCalls', '0', 'arguments'], given) as readonly Message[];

describe('a transcript', () => {
  test('a transcript with another value in any field is refused with E710, or read and replayed', async () => {
    for (const path of pathsIn(messages))
      for (const to of others) {
        const given = changeAt(messages, path, to) as readonly Message[];
        const text = `${[{ format: 'toolwright/transcript', version: 1 }, ...messagesIn(given)]
          .map((line) => JSON.stringify(line))
          .join('\n')}\n`;
        for (const work of [
          () => new ReplayModel(given),
          () => new ReplayModel(readTranscript(text)).complete({ messages: given } as never),
        ])
          try {
            await work();
          } catch (error) {
            expect(error).toMatchObject({ code: expect.stringMatching(/^E7(10|07)$/) as string });
          }
      }
    expect(readTranscript(writeTranscript(messages))).toEqual(messages);
  });

  test.each<[string, unknown, RegExp]>([
    ['nested 10,000 levels deep', nested(10_000), /300 levels of nesting/],
    ['with 200,000 values', { list: Array.from({ length: 200_000 }, () => 0) }, /120000 values/],
  ])('E710 a transcript is refused with arguments %s', (_what, given, message) => {
    expect(() => new ReplayModel(withArguments(given))).toThrow(message);
    const json = Array.isArray((given as { list?: unknown }).list)
      ? JSON.stringify(given)
      : `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const text = writeTranscript(withArguments('HERE')).replace('"HERE"', json);
    expect(() => readTranscript(text)).toThrow(message);
  });

  test('E710 a transcript names the line, with the empty ones before it', () => {
    const text = writeTranscript(messages).replaceAll('\n', '\n\n');
    expect(readTranscript(text)).toEqual(messages);
    expect(() => readTranscript(`${text}{"role":"user"}`)).toThrow('line 11: content: expected a text, got undefined');
    expect(() => readTranscript('')).toThrow(/as the first line/);
    expect(() => readTranscript(undefined as never)).toThrow(/expected a text, got undefined/);
  });

  test('a transcript is replayed in a time that grows with the messages, where they are the same with each request', async () => {
    const turns = 1_500;
    const frozen = Array.from({ length: 2 * turns }, (_none, index) =>
      Object.freeze({ role: index % 2 === 0 ? 'user' : 'assistant', content: `${String(index)} `.repeat(500) }),
    ) as readonly Message[];
    const model = new ReplayModel(frozen);
    const held = await leastPause(async () => {
      for (let turn = 0; turn < turns; turn++) {
        await model.complete({ messages: frozen.slice(0, 2 * turn + 1) } as never);
        if (turn % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    }, 5);
    expect(held).toBeLessThan(HELD_MS);
    expect(() => model.assertEnded()).not.toThrow();
  }, 60_000);
});

describe('readBundle', () => {
  test.each([NaN, 0, -1, '5', null, []])('E413 a limit that is %j is refused', async (limit) => {
    for (const name of ['maxBytes', 'maxEntries'])
      await expect(readBundle('', { [name]: limit })).rejects.toMatchObject({ code: 'E413' });
  });

  test.each([undefined, null, 5, {}, [7], [null]])('E750 a source that is %j is refused', async (source) => {
    await expect(readBundle(source as never)).rejects.toMatchObject({ code: 'E750' });
  });
});

test('a value that is held twice at each of 50 levels is recorded in no more pieces than a line may have', () => {
  let value: unknown = 1;
  for (let level = 0; level < 50; level++) value = [value, value];
  expect(JSON.stringify(copyBoundedJson(value))).toContain('[too many values]');
  expect(copyBoundedJson(nested(10_000))).toBeDefined();
});

describe('the command line', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'toolwright-input-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const modeOf = (name: string): number => statSync(join(folder, name)).mode & 0o777;

  test('the command line writes a recording that its owner alone can read, also over a file that others can read', () => {
    writeFileSync(join(folder, 'old.jsonl'), 'x'.repeat(1_000));
    chmodSync(join(folder, 'old.jsonl'), 0o644);
    for (const name of ['old.jsonl', 'new.jsonl']) {
      writePrivate(name, folder, ['{"a":1}', 'é']);
      expect(modeOf(name)).toBe(0o600);
      expect(readFileSync(join(folder, name), 'utf8')).toBe('{"a":1}\né\n');
    }
    expect(() => writePrivate('none/new.jsonl', folder, [])).toThrow(
      expect.objectContaining({ code: 'E970' }) as Error,
    );
    expect(() => writePrivate('/dev/null', folder, ['x'])).not.toThrow();
  });

  test('the command line reads files within bounds, of a device too', () => {
    writeFileSync(join(folder, 'given.txt'), 'one\ntwo');
    expect(readInputFile('given.txt', folder)).toBe('one\ntwo');
    expect(readFirstLine('given.txt', folder)).toBe('one');
    expect(readInputFile('given.txt', folder, 7)).toBe('one\ntwo');
    for (const work of [
      () => readInputFile('given.txt', folder, 6),
      () => readInputFile('/dev/zero', folder),
      () => readInputFile('none', folder),
      () => readFirstLine('.', folder),
    ])
      expect(work).toThrow(expect.objectContaining({ code: 'E970' }) as Error);
    expect(readFirstLine('/dev/zero', folder)).toHaveLength(65_536);
  });

  test('the command line reads standard input line by line, and E970 a line without an end', async () => {
    const lines = async (...pieces: readonly (string | Uint8Array)[]): Promise<readonly string[]> => {
      const found: string[] = [];
      async function* stream() {
        yield* pieces;
      }
      for await (const line of readLines(stream())) found.push(line);
      return found;
    };
    const bytes = Buffer.from('Grüße\r\n\nlast');
    expect(await lines(bytes.subarray(0, 3), bytes.subarray(3))).toEqual(['Grüße', '', 'last']);
    expect(await lines('one\n')).toEqual(['one']);
    async function* endless() {
      for (;;) yield 'a'.repeat(65_536);
    }
    const read = async (): Promise<void> => {
      for await (const line of readLines(endless())) expect(line).toBeUndefined();
    };
    await expect(read()).rejects.toMatchObject({ code: 'E970' });
  });

  test('the command line takes # as the sign before an export, unless a file has the whole name', () => {
    writeFileSync(join(folder, 'a#b.js'), '');
    expect(splitAppPath('a#b.js', folder)).toEqual({ path: 'a#b.js' });
    expect(splitAppPath('a#b.js#app', folder)).toEqual({ path: 'a#b.js', name: 'app' });
    expect(splitAppPath('c.js#app', folder)).toEqual({ path: 'c.js', name: 'app' });
  });
});

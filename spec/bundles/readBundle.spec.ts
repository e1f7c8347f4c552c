import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBundle, readBundleFile, stateAt, type BundleEntry } from 'toolwright/bundles';
import { HELD_MS, leastPause } from '../support/hostPause';

const head = { kind: 'bundle', format: 'toolwright/bundle', version: 1, createdAt: 1, versions: { toolwright: '1' } };
const attempt = { kind: 'attempt', seq: 0, time: 1, of: 0, attempt: 1 };
const textOf = (...lines: readonly unknown[]): string =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

describe('readBundle', () => {
  test('readBundle reads parts that end anywhere, within characters too', async () => {
    const bytes = Buffer.from(textOf(head, { ...attempt, note: 'Grüße 🚀' }, { ...attempt, seq: 7 }));
    const parts = async function* () {
      for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
    };
    const { entries } = await readBundle(parts());
    expect(entries).toEqual([
      { ...attempt, note: 'Grüße 🚀' },
      { ...attempt, seq: 7 },
    ]);
  });

  test.each([
    ['nothing', '', /line 1: expected a bundle, and it is empty/],
    ['no JSON', 'x', /line 1: it is not JSON/],
    ['another format', textOf({ format: 'toolwright/transcript', version: 1 }), /line 1: expected the head/],
    ['a newer version', textOf({ ...head, version: 2 }), /line 1: expected version 1, got the number 2/],
    [
      'a head without versions',
      textOf({ ...head, versions: [] }),
      /line 1: versions: expected an object, got an array of 0/,
    ],
    ['an entry that is none', textOf(head, [1]), /line 2: expected an entry, got an array of 1/],
    ['an unknown kind', textOf(head, { ...attempt, kind: 'atempt' }), /line 2: .* Did you mean "attempt"/],
    ['a kind of the prototype', textOf(head, { ...attempt, kind: 'constructor' }), /line 2: expected a kind/],
    [
      'a field of another type',
      textOf(head, { ...attempt, of: '0' }),
      /line 2: attempt.of: expected a whole number, got the string/,
    ],
    [
      'a missing field',
      textOf(head, { ...attempt, attempt: undefined }),
      /line 2: attempt.attempt: expected a whole number, got undefined/,
    ],
    ['entries that do not follow', textOf(head, attempt, attempt), /line 3: expected seq as a number greater than 0/],
    ['an entry cut off', textOf(head, attempt, '{"kind":"att'), /line 3: it is not JSON/],
  ])('readBundle refuses %s', async (_what, text, message) => {
    await expect(readBundle(text)).rejects.toMatchObject({
      code: 'E750',
      message: expect.stringMatching(message) as string,
    });
  });

  test('readBundle refuses what is not UTF-8', async () => {
    const bytes = async function* () {
      yield Uint8Array.of(0x7b, 0xff, 0xfe);
    };
    await expect(readBundle(bytes())).rejects.toMatchObject({ code: 'E750' });
  });

  test.each([
    ['deep JSON', '['.repeat(1_000_000)],
    ['too many values in a line', `[${'0,'.repeat(300_000)}0]`],
  ])('readBundle refuses %s before it is parsed', async (_what, line) => {
    await expect(readBundle(textOf(head, line))).rejects.toMatchObject({ code: 'E751' });
  });

  test('readBundle refuses too many entries', async () => {
    const lines = Array.from({ length: 11 }, (_none, seq) => ({ ...attempt, seq }));
    await expect(readBundle(textOf(head, ...lines), { maxEntries: 10 })).rejects.toMatchObject({ code: 'E751' });
    expect((await readBundle(textOf(head, ...lines), { maxEntries: 11 })).entries).toHaveLength(11);
  });

  test('readBundle refuses a gigabyte having read no more than it may', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-bundle-'));
    try {
      const file = join(folder, 'large.jsonl');
      writeFileSync(file, `${JSON.stringify(head)}\n`);
      truncateSync(file, 1024 ** 3);
      const before = process.memoryUsage().arrayBuffers;
      await expect(readBundleFile(file, { maxBytes: 1024 * 1024 })).rejects.toMatchObject({ code: 'E751' });
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
      let taken = 0;
      const endless = async function* () {
        for (;;) {
          taken += 65_536;
          yield new Uint8Array(65_536).fill(0x20);
        }
      };
      await expect(readBundle(endless(), { maxBytes: 1024 * 1024 })).rejects.toMatchObject({ code: 'E751' });
      expect(taken).toBeLessThan(2 * 1024 * 1024);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  /** Parts of 64 KiB without end, and the bytes that were taken of them. */
  function endless(beginning: string, rest: string) {
    const filler = Buffer.from(rest.repeat(65_536 / rest.length));
    const counted = { taken: 0, parts };
    async function* parts() {
      yield Buffer.from(beginning);
      for (;;) {
        counted.taken += filler.length;
        yield filler;
      }
    }
    return counted;
  }

  test.each([
    ['a line without an end', '{"kind":"attempt","x":"', 'a', /line 3: it has more than 4000000 characters/],
    [
      'a line of letters of several bytes',
      '{"kind":"attempt","x":"',
      'é',
      /line 3: it has more than 4000000 characters/,
    ],
    ['a line of values without an end', '{"kind":"attempt","x":[0', ',0', /line 3: it has more than 100000 values/],
    [
      'a line of levels without an end',
      '{"kind":"attempt","x":',
      '[',
      /line 3: it has more than 100 levels of nesting/,
    ],
  ])('E751 %s is refused before it is whole', async (_what, beginning, rest, message) => {
    const source = endless(`${textOf(head, attempt)}\n${beginning}`, rest);
    await expect(readBundle(source.parts(), { maxBytes: Infinity })).rejects.toMatchObject({
      code: 'E751',
      message: expect.stringMatching(message) as string,
    });
    expect(source.taken).toBeLessThanOrEqual(8_200_000);
  });

  test('E751 lines that hold too many values together are refused', async () => {
    const values = `[${'0,'.repeat(90_000)}0]`;
    const line = (seq: number) => JSON.stringify({ ...attempt, seq, x: '' }).replace('""', values);
    const lines = async function* () {
      yield `${JSON.stringify(head)}\n`;
      for (let seq = 0; ; seq++) yield `${line(seq)}\n`;
    };
    await expect(readBundle(lines())).rejects.toMatchObject({
      code: 'E751',
      message: expect.stringContaining('more than 5000000 values together') as string,
    });
  }, 60_000);

  test('readBundle names the line, with the empty ones before it', async () => {
    await expect(readBundle(textOf(head, '', '', attempt, '', 'x'))).rejects.toMatchObject({
      code: 'E750',
      message: expect.stringContaining('line 6: it is not JSON') as string,
    });
  });

  test.each(['a text', 'one part', 'many parts'])(
    'readBundle reads %s of 60,000 entries in pieces',
    async (what) => {
      const lines = Array.from({ length: 60_000 }, (_none, seq) => ({ ...attempt, seq }));
      const text = textOf(head, ...lines);
      const bytes = Buffer.from(text);
      const size = what === 'one part' ? bytes.length : 10_000;
      const parts = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      const read = async () => {
        const { entries } = await readBundle(what === 'a text' ? text : parts());
        expect(entries).toHaveLength(60_000);
      };
      expect(await leastPause(read, 5)).toBeLessThan(HELD_MS);
    },
    120_000,
  );

  test('characters of two units are read where a piece of a text ends', async () => {
    const note = '🚀'.repeat(70_000);
    for (const shift of ['', '.'])
      expect((await readBundle(textOf(head, { ...attempt, note: shift + note }))).entries).toEqual([
        { ...attempt, note: shift + note },
      ]);
  });
});

test('the state after 300,000 entries that append to one slice, which a copy for each would never reach', () => {
  const entries = Array.from({ length: 300_000 }, (_none, seq) => ({
    kind: 'state',
    seq,
    time: 1,
    session: 's',
    of: 0,
    appended: { Note: [{ text: String(seq) }] },
  })) as readonly BundleEntry[];
  expect(stateAt(entries, 's')['Note']).toHaveLength(300_000);
  expect(entries[0]).toMatchObject({ appended: { Note: [{ text: '0' }] } });
});

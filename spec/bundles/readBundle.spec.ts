import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBundle, readBundleFile } from 'toolwright/bundles';

const head = { kind: 'bundle', format: 'toolwright/bundle', version: 1, createdAt: 1, versions: { toolwright: '1' } };
const attempt = { kind: 'attempt', seq: 0, time: 1, of: 0, attempt: 1 };
const textOf = (...lines: readonly unknown[]): string =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

describe('readBundle', () => {
  test('reads parts that end anywhere, within characters too', async () => {
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
    ['a head without versions', textOf({ ...head, versions: [] }), /line 1: expected createdAt/],
    ['an entry that is none', textOf(head, [1]), /line 2: expected an entry, got an array of 1/],
    ['an unknown kind', textOf(head, { ...attempt, kind: 'atempt' }), /line 2: .* Did you mean "attempt"/],
    ['a kind of the prototype', textOf(head, { ...attempt, kind: 'constructor' }), /line 2: expected a kind/],
    ['a field of another type', textOf(head, { ...attempt, of: '0' }), /line 2: expected attempt.of as number/],
    ['a missing field', textOf(head, { ...attempt, attempt: undefined }), /expected attempt.attempt as number/],
    ['entries that do not follow', textOf(head, attempt, attempt), /line 3: expected seq as a number greater than 0/],
    ['an entry cut off', textOf(head, attempt, '{"kind":"att'), /line 3: it is not JSON/],
  ])('refuses %s', async (_what, text, message) => {
    await expect(readBundle(text)).rejects.toMatchObject({
      code: 'E750',
      message: expect.stringMatching(message) as string,
    });
  });

  test('refuses what is not UTF-8', async () => {
    const bytes = async function* () {
      yield Uint8Array.of(0x7b, 0xff, 0xfe);
    };
    await expect(readBundle(bytes())).rejects.toMatchObject({ code: 'E750' });
  });

  test.each([
    ['deep JSON', '['.repeat(1_000_000)],
    ['too many values in a line', `[${'0,'.repeat(300_000)}0]`],
  ])('refuses %s before it is parsed', async (_what, line) => {
    await expect(readBundle(textOf(head, line))).rejects.toMatchObject({ code: 'E751' });
  });

  test('refuses too many entries', async () => {
    const lines = Array.from({ length: 11 }, (_none, seq) => ({ ...attempt, seq }));
    await expect(readBundle(textOf(head, ...lines), { maxEntries: 10 })).rejects.toMatchObject({ code: 'E751' });
    expect((await readBundle(textOf(head, ...lines), { maxEntries: 11 })).entries).toHaveLength(11);
  });

  test('refuses a gigabyte having read no more than it may', async () => {
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
});

import fc from 'fast-check';
import { readBundle, type Bundle } from 'toolwright/bundles';
import { changeAt } from '../support/changeAt';
import { bundleOf, everyEntry, head } from './everyEntry';

type Path = readonly (string | number)[];
/** Shows a bundle, or works on it. */
type Use = (bundle: Bundle) => void;

/** The places that may hold any JSON: what tools, hosts and states hold is theirs. */
const FREE = [
  /^metadata/,
  /^arguments/,
  /^fields\./,
  /^(appended|replaced)\.\w+\.\d/,
  /^tools\.\d\.(hints|schema\.)/,
  /^(messages\.\d\.)?toolCalls\.\d\.arguments(\.|$)/,
  /^messages\.\d\.native\.content\.\d/,
  /^resources\.\d\.changes\.\d\.(before|after)/,
];
/** The places that may hold null beside their type. */
const OR_NULL = [/^text$/, /^messages\.\d\.content$/, /^prefix\.brokenAt$/, /^resources\.\d\.changes$/];
/** Objects of which nothing is required, and that may be of any form below. */
const others: readonly unknown[] = [null, true, 7, 0.5, -1, '', 'x', [], [[]], {}, { constructor: 1 }];

function placesIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([key, entry]) =>
    placesIn(entry, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length === 0 ? below : [path, ...below];
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Readonly<Record<string, unknown>>)[step], value);
}

const places = everyEntry.flatMap((entry, index) => placesIn(entry).map((path) => ({ index, path })));

/** Reads a bundle with one value in place of another, and uses it: undefined if it is refused. */
async function readWith({ index, path }: (typeof places)[number], to: unknown, use: Use): Promise<Bundle | undefined> {
  const entries = everyEntry.map((entry, each) => (each === index ? changeAt(entry, path, to) : entry));
  try {
    const bundle = await readBundle(bundleOf(entries));
    expect(bundle.entries).toEqual(entries);
    use(bundle);
    return bundle;
  } catch (error) {
    expect(error).toMatchObject({ code: 'E750' });
    return undefined;
  }
}

/** Declares the tests of a reader: a bundle with any value in any place is refused with a code, or can be used. */
export function testMutatedBundles(use: Use): void {
  test('a bundle of every entry is read as it is', async () => {
    const bundle = await readBundle(bundleOf(everyEntry));
    expect(bundle).toEqual({ head, entries: everyEntry });
    use(bundle);
    expect(new Set(everyEntry.map(({ kind }) => kind)).size).toBe(12);
  });

  test('a value of another type in any field is refused with E750, where the field is not free', async () => {
    const taken: string[] = [];
    for (const place of places) {
      const text = place.path.join('.');
      const before = typeOf(at(everyEntry[place.index], place.path));
      for (const to of others) {
        const type = typeOf(to);
        const isAllowed =
          type === before ||
          FREE.some((free) => free.test(text)) ||
          (type === 'null' && OR_NULL.some((nullable) => nullable.test(text))) ||
          (before === 'null' && type === 'string');
        if ((await readWith(place, to, use)) !== undefined && !isAllowed) taken.push(`${text}: ${JSON.stringify(to)}`);
      }
    }
    expect(taken).toEqual([]);
  }, 120_000);

  test('with any JSON in any place, the bundle is refused with E750, or shown and replayed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 3 }), async (place, to) => {
        await readWith(place, to, use);
      }),
      { numRuns: 1_000 },
    );
  }, 120_000);

  test.each(Object.keys(head))('a head with another value as %s is refused with E750', async (field) => {
    for (const to of others) {
      if (typeOf(to) === typeOf(head[field as keyof typeof head]) && field !== 'version') continue;
      const text = bundleOf(everyEntry).replace(JSON.stringify(head), JSON.stringify({ ...head, [field]: to }));
      await expect(readBundle(text)).rejects.toMatchObject({ code: 'E750' });
    }
  });
}

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as lowering from '../../../src/schema/lowering/lowerSchema.js';
import { APIS, RecordedTalk, type Api, type Said, type Shaping } from '../../support/records';
import type { Json } from '../../../packages/openai/spec/support/json';

/** Set where a release after this one writes schemas in other words. */
let isNewer = false;
jest.mock('../../../src/schema/lowering/lowerSchema.js', (): typeof lowering => {
  const now = jest.requireActual<typeof lowering>('../../../src/schema/lowering/lowerSchema.js');
  const lowerSchema: typeof now.lowerSchema = (...given) => {
    const lowered = now.lowerSchema(...given);
    return isNewer ? { ...lowered, schema: { ...lowered.schema, title: 'Newer' } } : lowered;
  };
  return { ...now, lowerSchema };
});
afterEach(() => {
  isNewer = false;
});

const FOLDER = join(__dirname, 'records');

interface Kept {
  readonly record: Json;
  /** The last request that was sent. */
  readonly last: Json;
}

/** Keeps what the present code records, for the releases after it: `KEEP_RECORDS=3 npx jest keptRecords`. */
const format = process.env['KEEP_RECORDS'];

const kept = (api: Api, of: string): Kept =>
  JSON.parse(readFileSync(join(FOLDER, `format-${of}`, `${api.name}.json`), 'utf8')) as Kept;

const NEXT: readonly Said[] = [
  { call: ['d1', 'look_up', { order_id: '#2' }] },
  { call: ['d2', 'begin_return', { order_id: '#2' }] },
  { text: 'That one, too.' },
];

/** Fails unless each of the requests begins with the one before it. */
function expectAppended({ parts }: Api, bodies: readonly Json[]): void {
  expect(bodies.length).toBeGreaterThan(1);
  bodies.slice(1).forEach((body, at) => {
    const [before, now] = [parts(bodies[at] as Json), parts(body)];
    expect(JSON.stringify(now.fixed)).toBe(JSON.stringify(before.fixed));
    expect(JSON.stringify(now.messages.slice(0, before.messages.length))).toBe(JSON.stringify(before.messages));
  });
}

if (format !== undefined)
  test.each(APIS)('the record of $name is kept as its provider sent it', async (api) => {
    const talk = await RecordedTalk.open(api);
    await talk.begin();
    mkdirSync(join(FOLDER, `format-${format}`), { recursive: true });
    const file = { record: talk.record, last: talk.bodies.at(-1) };
    writeFileSync(join(FOLDER, `format-${format}`, `${api.name}.json`), `${JSON.stringify(file)}\n`);
  });

const RECORDS = readdirSync(FOLDER).flatMap((folder) => APIS.map((api) => [api.name, folder, api] as const));

describe('a record that an earlier release kept', () => {
  test.each(RECORDS)(
    '%s, %s: goes on with the request that it ended with, byte for byte',
    async (_name, folder, api) => {
      const { record, last } = kept(api, folder.replace('format-', ''));
      const talk = await RecordedTalk.open(api, record);
      await talk.say('And #2?', NEXT);
      expectAppended(api, [last, ...talk.bodies]);
    },
  );

  test.each(RECORDS)('%s, %s: once it has gone on, a newer release does not change it', async (_name, folder, api) => {
    const { record, last } = kept(api, folder.replace('format-', ''));
    const talk = await RecordedTalk.open(api, record);
    await talk.say('And #2?', NEXT);
    isNewer = true;
    const later = await RecordedTalk.open(api, talk.record);
    await later.say('And #3?', [{ text: 'Yes.' }]);
    expectAppended(api, [last, ...talk.bodies, ...later.bodies]);
  });
});

describe.each(APIS)('the tools of a conversation over $name', (api) => {
  const flipped: Shaping = { strict: true, defers: true, inputExamples: true };

  test.each<[string, Shaping, Shaping]>([
    ['turned on', { strict: false }, flipped],
    ['turned off', flipped, { strict: false }],
  ])('stay as they were sent where another process has its settings %s', async (_what, first, second) => {
    const talk = await RecordedTalk.open(api);
    await talk.begin(first);
    const later = await RecordedTalk.open(api, talk.record);
    await later.say('And #2?', NEXT, second);
    expectAppended(api, [...talk.bodies, ...later.bodies]);
    const other = await RecordedTalk.open(api);
    await other.begin(second);
    expect(api.parts(other.bodies[0] as Json).fixed).not.toEqual(api.parts(talk.bodies[0] as Json).fixed);
  });

  test.each<[Shaping]>([[{}], [{ strict: true }], [{ strict: false }]])(
    'stay as they were sent where another release writes schemas in other words: %j',
    async (shaping) => {
      const talk = await RecordedTalk.open(api);
      await talk.begin(shaping);
      isNewer = true;
      const later = await RecordedTalk.open(api, talk.record);
      await later.say('And #2?', NEXT, shaping);
      expectAppended(api, [...talk.bodies, ...later.bodies]);
      expect(JSON.stringify(later.bodies)).not.toContain('Newer');
      const other = await RecordedTalk.open(api);
      await other.begin(shaping);
      expect(JSON.stringify(other.bodies)).toContain('Newer');
    },
  );
});

describe('the format of entries', () => {
  const [api] = APIS as readonly [Api];
  const versions = (record: Json): readonly unknown[] =>
    (record['entries'] as readonly Json[]).map(({ version }) => version);

  test('the format of entries has a number in each entry, also in those of an earlier format once they are read and go on', async () => {
    const { record } = kept(api, '1');
    expect(new Set(versions(record))).toEqual(new Set([1, undefined]));
    const talk = await RecordedTalk.open(api, record);
    await talk.say('And #2?', [{ text: 'Yes.' }]);
    expect(new Set(versions(talk.record))).toEqual(new Set([5]));
  });

  test('a record of a newer release is refused, with what to do', async () => {
    const { record } = kept(api, '1');
    const entries = (record['entries'] as readonly Json[]).map((entry, at) =>
      at === 3 ? { ...entry, kind: 'new', version: 6 } : entry,
    );
    await expect(RecordedTalk.open(api, { ...record, entries })).rejects.toMatchObject({
      code: 'E709',
      message: expect.stringContaining(
        'E709 entries[3].version: the conversation cannot go on: 1 to 5 are known, got the number 6; a newer release wrote it: update this one',
      ) as unknown,
    });
  });
});

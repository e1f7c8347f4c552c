import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Session,
  type ToolContext,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { type ScriptedCall, ScriptedModel } from 'toolwright/testing';
import { PrefixMeasured } from 'toolwright/events';
import { silent } from '../../support/silent';
import { sqliteConnection, type SqliteConnection } from '../../../packages/durable/spec/support/sqliteConnection';
import { sqliteRuns } from '../../../packages/durable/spec/support/sqliteRuns';

const TURNS = 200;
const root = mkdtempSync(join(tmpdir(), 'toolwright-flat-'));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

class Visit {
  @Param('Where') place!: string;
}
class Mood {
  @Param('How it is') mood!: string;
}

const visit = defineTool({
  name: 'visit',
  description: 'Add a visit.',
  params: Visit,
  handler: (given: Visit, { session }: ToolContext) => {
    session.slice(Visit).append(given);
    return `Visited ${given.place}.`;
  },
});
const feel = defineTool({
  name: 'feel',
  description: 'Replace the mood.',
  params: Mood,
  hints: { openWorld: false },
  handler: (given: Mood, { session }: ToolContext) => {
    session.slice(Mood).seed(given);
    return `It is ${given.mood}.`;
  },
});

const padded = (turn: number): string => String(turn).padStart(3, '0');
const chapters = Array.from({ length: TURNS / 20 }, (_, index) =>
  defineSection({
    key: `chapter_${String(index)}`,
    title: `Chapter ${String(index)}`,
    template: `What is in chapter ${String(index)}.`,
    summary: 'Something.',
    visibility: 'summary',
  }),
);
const Journey = definePrompt({
  ns: 'spec',
  key: 'journey',
  sections: [defineSection({ key: 'desk', title: 'Desk', template: 'Travel.', tools: [visit, feel] }), ...chapters],
});

type Kind = 'appends' | 'replaces' | 'opens';

function kindOf(turn: number): Kind {
  if (turn % 20 === 10) return 'opens';
  return turn % 2 === 0 ? 'replaces' : 'appends';
}

function callOf(turn: number): ScriptedCall {
  const of: Readonly<Record<Kind, ScriptedCall>> = {
    appends: { name: 'visit', arguments: { place: `place ${padded(turn)}` } },
    replaces: { name: 'feel', arguments: { mood: `mood ${padded(turn)}` } },
    opens: {
      name: 'open_sections',
      arguments: { section_keys: [`chapter_${String((turn - 10) / 20)}`], reason: 'To know.' },
    },
  };
  return of[kindOf(turn)];
}

interface Turn {
  readonly turn: number;
  readonly growth: Growth;
  readonly requests: readonly PrefixMeasured[];
}

/** What a turn has added, in bytes. */
interface Growth {
  /** The texts of the log. */
  readonly texts: number;
  /** Everything that was written to the disk, which is whole pages. */
  readonly disk: number;
}
/** Begins to count; returns a function that says what was added since. */
type Count = () => () => Growth;
const nothing: Count = () => () => ({ texts: 0, disk: 0 });

/** Counts what is written to the file of a store. @param file a connection of the same library as that of the store */
function countIn(path: string, file: SqliteConnection): Count {
  const number = (sql: string, column: string): number => Number(file.prepare(sql).all()[0]?.[column]);
  const texts = (): number => number('SELECT total(length(CAST(entry AS blob))) AS bytes FROM entries', 'bytes');
  return () => {
    const before = texts();
    // Afterwards, the write-ahead log has what was written since, page by page, and nothing else.
    expect(number('PRAGMA wal_checkpoint(TRUNCATE)', 'busy')).toBe(0);
    return () => ({ texts: texts() - before, disk: statSync(`${path}-wal`).size });
  };
}

interface JourneyOptions {
  readonly open: () => Promise<Conversation> | Conversation;
  readonly isContinued?: (turn: number) => boolean;
  readonly count?: Count;
}

/** All turns of a conversation, in fresh objects from each turn on that `isContinued` names. */
async function journey({ open, isContinued = () => false, count = nothing }: JourneyOptions) {
  const begin = async () => ({
    app: await createApplication({ prompts: [Journey], logger: silent }),
    conversation: await open(),
    session: new Session({ slices: [Visit, Mood] }),
  });
  let here = await begin();
  const turns: Turn[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const growth = count();
    if (isContinued(turn)) here = await begin();
    const { app, conversation, session } = here;
    const requests: PrefixMeasured[] = [];
    const off = app.eventBus.subscribe(PrefixMeasured, (measured) => void requests.push(measured));
    await app.evaluate(app.prompt(Journey), {
      adapter: new ScriptedModel([{ toolCalls: [callOf(turn)] }, { text: `Answer ${padded(turn)}.` }]),
      ...{ conversation, session, runId: `run ${padded(turn)}` },
      messages: [{ role: 'user', content: `Question ${padded(turn)}` }],
    });
    off();
    turns.push({ turn, growth: growth(), requests });
  }
  return { ...here, turns };
}

const isContinued = (turn: number): boolean => turn > 0 && turn % 25 === 0;

describe('200 turns of which each changes the state, in a file, with fresh objects before every 25th', () => {
  let parts: Awaited<ReturnType<typeof journey>>;
  /** The bytes of the file in the end. */
  let size: number;
  beforeAll(async () => {
    const path = join(root, 'runs.db');
    const fresh = () => sqliteRuns(path, { driver: 'libsql' });
    // Creates the file.
    await fresh().list();
    const open = () => Conversation.open(fresh(), 'journey');
    const file = sqliteConnection(path);
    parts = await journey({ open, isContinued, count: countIn(path, file) });
    file.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    size = statSync(path).size;
    file.close();
  }, 60_000);

  test('each turn writes as much as one of its kind did at the beginning', () => {
    const { turns } = parts;
    const among = (from: number, to: number, kind: Kind, continued = false): readonly Growth[] =>
      turns
        .slice(from, to)
        .filter(({ turn }) => kindOf(turn) === kind && isContinued(turn) === continued)
        .map(({ growth }) => growth);
    for (const kind of ['appends', 'replaces', 'opens'] as const) {
      const early = among(20, 40, kind).map(({ texts }) => texts);
      // The state of an opening names all sections that are open, and eight more are by then.
      const named = kind === 'opens' ? 8 * '"chapter_0":"full",'.length : 0;
      const late = among(180, 200, kind).map(({ texts }) => texts - named);
      expect([kind, Math.max(...late) <= Math.min(...early) * 1.1]).toEqual([kind, true]);
      expect([kind, Math.min(...late) >= Math.max(...early) * 0.9]).toEqual([kind, true]);
    }
    // A turn in a fresh process writes who the writer is, too, and nothing of what was before.
    const continued = among(0, TURNS, 'appends', true).map(({ texts }) => texts);
    expect(continued).toHaveLength(4);
    expect(Math.max(...continued)).toBeLessThan(Math.min(...continued) * 1.1);
    // SQLite writes whole pages: the same ones in every turn, and some more when a page is full and is divided.
    for (const kind of ['appends', 'replaces', 'opens'] as const) {
      const [early, late] = [among(20, 40, kind), among(180, 200, kind)].map((group) => group.map(({ disk }) => disk));
      expect([kind, Math.min(...late!)]).toEqual([kind, Math.min(...early!)]);
    }
    const diskOf = (from: number, to: number): number =>
      turns.slice(from, to).reduce((sum, { growth }) => sum + growth.disk, 0);
    expect(diskOf(120, 200)).toBeLessThan(diskOf(20, 100) * 1.1);
    // Pages that were divided have room, and nothing is there twice.
    expect(size).toBeLessThan(2 * turns.reduce((sum, { growth }) => sum + growth.texts, 0));
  });

  test('every request begins with the one before', () => {
    const requests = parts.turns.flatMap((turn) => turn.requests);
    expect(requests).toHaveLength(2 * TURNS);
    expect(requests.filter(({ changedBytes, brokenAt }) => changedBytes > 0 || brokenAt !== undefined)).toEqual([]);
    for (const [index, { keptBytes }] of requests.entries()) {
      const { keptBytes: kept = 0, newBytes = 0 } = requests[index - 1] ?? {};
      expect(keptBytes).toBe(kept + newBytes);
    }
  });

  test('all ends as in memory in one go', async () => {
    const whole = await journey({ open: () => new Conversation() });
    expect(parts.conversation.messages).toEqual(whole.conversation.messages);
    expect(parts.session.toJSON().slices).toEqual(whole.session.toJSON().slices);
    expect(parts.session.slice(Visit).all()).toHaveLength(TURNS / 2);
    expect(parts.session.slice(Mood).all()).toEqual([{ mood: 'mood 198' }]);
  }, 60_000);
});

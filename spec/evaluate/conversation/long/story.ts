import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { isDeepStrictEqual, promisify } from 'node:util';
import type { RunEntry } from 'toolwright/conversations';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { builtFolder } from '../../../support/builtFolder';
import {
  droppingModelWire,
  openAiSdk,
  openAnthropic,
  openResponses,
  type Answer,
  type House,
  type OpenHouse,
} from '../../../support/houses';
import type { Json } from '../../../../packages/openai/spec/support/json';
import { responsesWire } from '../../../../packages/openai/spec/support/responsesWire';
import {
  BRANCHES,
  LOCK_TIMEOUT_MS,
  markOf,
  nameCall,
  nameConversation,
  placeOf,
  planLane,
  sectionOpenedIn,
  WORDS,
  type ForkStep,
  type Lane,
  type RunStep,
} from './plan';
import { lostOf, saidIn, tallyBranch, tallyEffects, type Arrived, type BranchFacts, type BranchTally } from './tally';
import type { Kill, Said, WorkerConfig } from './worker';

/** How long the story is. */
export interface Length {
  /** The least number of requests of each conversation, copies not counted. */
  readonly turns: number;
  readonly kills: number;
  readonly maxTokens: number;
  readonly seed: number;
  readonly lanes: readonly LaneName[];
}

/** The outcome of the story: what is wrong, a line each, is empty. */
export interface Outcome {
  readonly rows: readonly Row[];
  /** How many processes were killed, by the moment. */
  readonly kills: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, readonly string[]>>;
}

/** The kinds of faults that are counted, and none of each. */
export const NOTHING_WRONG: Outcome['faults'] = {
  refused: [],
  dropped: [],
  changed: [],
  lost: [],
  repeated: [],
  missing: [],
  twice: [],
  stray: [],
  states: [],
};

/** What one conversation amounts to. */
interface Row {
  readonly lane: string;
  /** Answers in the record. */
  readonly turns: number;
  /** With those that were repeated after a kill, and those of copies. */
  readonly requests: number;
  readonly segments: number;
  readonly approvals: number;
  readonly copies: number;
}

interface LaneHouses {
  readonly open: OpenHouse;
  readonly guest: OpenHouse;
  readonly models: Lane['models'];
  readonly beginsWithForm?: boolean;
}

const CLAUDE = { other: 'claude-opus-5', older: 'claude-sonnet-5' };
const GPT = { other: 'gpt-5.6-luna', older: 'gpt-5' };
const DROPPING = { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } } as const;
const claudeDropping = openAiSdk('anthropic.messages', 'claude-opus-5-5', {}, droppingModelWire);
const gptDropping = openResponses({}, 'gpt-5.6-terra', responsesWire);

/** Each provider and each adapter: doubles that refuse what has changed, and doubles that drop it. */
const LANES = {
  'anthropic-refuses': { open: openAnthropic(), guest: openResponses(), models: CLAUDE },
  'anthropic-drops': {
    ...{ open: openAnthropic({ parameters: { thinking: DROPPING } }), guest: gptDropping, models: CLAUDE },
    beginsWithForm: true,
  },
  'responses-refuses': { open: openResponses(), guest: openAnthropic(), models: GPT },
  'responses-drops': { open: gptDropping, guest: claudeDropping, models: GPT, beginsWithForm: true },
  'ai-sdk-claude-drops': { open: claudeDropping, guest: gptDropping, models: CLAUDE },
  'ai-sdk-gpt-refuses': {
    open: openAiSdk('openai.responses', 'gpt-5.6-terra'),
    guest: openAiSdk('anthropic.messages', 'claude-opus-5-5'),
    models: GPT,
  },
} satisfies Record<string, LaneHouses>;

export type LaneName = keyof typeof LANES;
export const ALL_LANES = Object.keys(LANES) as LaneName[];

/** The conversations that a process that is to be killed carries. */
const AT_A_TIME = 2;
const KINDS: readonly Kill['kind'][] = ['request', 'before', 'handler', 'after', 'acted', 'parked'];

/** Has all conversations over doubles, carried by processes that are killed, and counts. */
export async function tellStory(length: Length): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-long-'));
  const story = new Story(folder, length);
  try {
    await Promise.all([bundleWorker(folder), story.open()]);
    await story.tell();
    return await story.count();
  } finally {
    await story.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bundles the program of the processes. */
async function bundleWorker(folder: string): Promise<void> {
  const program = resolve(__dirname, '../../../support/bundleSources.mjs');
  await promisify(execFile)(process.execPath, [program, join(__dirname, 'worker.ts'), folder, builtFolder]);
}

/** A lane while it is carried. */
interface OpenLane extends Lane {
  readonly doubles: Readonly<Record<string, House>>;
  readonly arrived: Map<string, Arrived[]>;
  isDone: boolean;
  approvals: number;
  /** Of the last answer. */
  serial: number;
}

class Story {
  readonly #folder: string;
  readonly #length: Length;
  readonly #lanes: OpenLane[] = [];
  readonly #kills: Record<string, number> = {};
  readonly #kept: Extract<Said, { kept: string }>[] = [];
  readonly #store: SqliteRuns;
  readonly #random: () => number;
  #next: ChildProcess | undefined;
  /** Is called at each request, and may end the process that made it. */
  #watch: (lane: string) => void = () => undefined;

  constructor(folder: string, length: Length) {
    this.#folder = folder;
    this.#length = length;
    this.#random = randomsFrom(length.seed);
    this.#store = new SqliteRuns(join(folder, 'runs.db'), { lockTimeoutMs: LOCK_TIMEOUT_MS });
  }

  async open(): Promise<void> {
    mkdirSync(join(this.#folder, 'effects'));
    for (const name of this.#length.lanes) {
      const { open, guest, models, beginsWithForm = false }: LaneHouses = LANES[name];
      const opened = await Promise.all(BRANCHES.map(async (branch) => [branch, await open()] as const));
      const doubles: Record<string, House> = { ...Object.fromEntries(opened), guest: await guest() };
      const houses = Object.fromEntries(Object.entries(doubles).map(([branch, { place }]) => [branch, place]));
      const lane: OpenLane = {
        name,
        models,
        beginsWithForm,
        houses,
        doubles,
        arrived: new Map(),
        isDone: false,
        approvals: 0,
        serial: 100,
      };
      const steps = planLane(lane, this.#length.turns);
      for (const [branch, double] of Object.entries(doubles)) {
        // A guest answers the conversation itself.
        const place = branch === 'guest' ? 'main' : branch;
        double.answerBy((body) => this.#answer(lane, place, steps, body));
      }
      this.#lanes.push(lane);
    }
  }

  async close(): Promise<void> {
    this.#next?.kill('SIGKILL');
    await this.#store.close();
    await Promise.all(this.#lanes.flatMap(({ doubles }) => Object.values(doubles).map((double) => double.stop())));
  }

  /** Kills process after process, and lets the last one end. */
  async tell(): Promise<void> {
    for (let count = 0; count < this.#length.kills; count++) {
      const kind = KINDS[count % KINDS.length] ?? 'request';
      const open = this.#lanes.filter(({ isDone }) => !isDone);
      const at = this.#numberBelow(open.length);
      // Some lanes at a time: they are in the middle of anything when the process ends.
      const lanes = [...open.slice(at), ...open.slice(0, at)].slice(0, AT_A_TIME);
      const [lane] = lanes;
      if (lane === undefined) throw new TypeError(`All was done after ${String(count)} kills.`);
      const nth = kind === 'parked' ? 1 : 1 + this.#numberBelow(kind === 'handler' || kind === 'acted' ? 3 : 7);
      const signal = await this.#carry(lanes, { lane: lane.name, kind, nth });
      if (signal !== 'SIGKILL') throw new TypeError(`A process that was to be killed ended with ${String(signal)}.`);
      this.#kills[kind] = (this.#kills[kind] ?? 0) + 1;
    }
    const code = await this.#carry(this.#lanes);
    if (code !== 0) throw new TypeError(`The last process ended with ${String(code)}.`);
  }

  #numberBelow(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  /** Has a process go on with these lanes; returns what ended it. */
  async #carry(lanes: readonly OpenLane[], kill?: Kill): Promise<unknown> {
    const { turns, maxTokens } = this.#length;
    const told = lanes.map(({ name, models, beginsWithForm, houses }) => ({ name, models, beginsWithForm, houses }));
    const config: WorkerConfig = { folder: this.#folder, lanes: told, turns, maxTokens, kill };
    const child = this.#next ?? this.#start();
    child.stdin?.write(`${JSON.stringify(config)}\n`);
    // The next one loads its modules meanwhile.
    this.#next = kill === undefined ? undefined : this.#start();
    let problems = '';
    child.stderr?.on('data', (data: Buffer) => (problems += data.toString()));
    let seen = 0;
    this.#watch = (lane) => {
      if (kill?.kind === 'request' && kill.lane === lane && ++seen === kill.nth) child.kill('SIGKILL');
    };
    const left: Extract<Said, { parked: string }>[] = [];
    const heard: Promise<void>[] = [];
    createInterface({ input: child.stdout as Readable }).on('line', (line) => {
      // The process may have been killed while it wrote.
      if (!line.endsWith('}')) return;
      const said = JSON.parse(line) as Said;
      if ('kept' in said) this.#kept.push(said);
      else if ('done' in said) this.#laneOf(said.done).isDone = true;
      else if (kill?.kind === 'parked' && said.parked.startsWith(`${kill.lane} `)) {
        left.push(said);
        child.kill('SIGKILL');
      } else if (child.killed) left.push(said);
      else heard.push(this.#reply(said, child));
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    await Promise.all(heard);
    for (const said of left) await this.#reply(said);
    if (signal === null && code !== 0) throw new TypeError(problems);
    return signal ?? code;
  }

  #start(): ChildProcess {
    const { NODE_OPTIONS: _options, ...env } = process.env;
    const child = spawn(process.execPath, [join(this.#folder, 'main.mjs')], { env, stdio: 'pipe' });
    child.stdin.on('error', () => undefined);
    return child;
  }

  /** Answers questions from this process, and tells the process that waits. */
  async #reply({ parked, questions }: Extract<Said, { parked: string }>, child?: ChildProcess): Promise<void> {
    for (const { id, about } of questions) {
      const taken = await this.#store.reply(parked, id, { kind: about === 'unknown' ? 'repeat' : 'approved' });
      if (taken === 'taken' && about === 'approval') this.#laneOf(parked.split(' ', 1).join('')).approvals++;
    }
    child?.stdin?.write(`${parked}\n`);
  }

  #laneOf(name: string): OpenLane {
    const lane = this.#lanes.find((one) => one.name === name);
    if (lane === undefined) throw new TypeError(`There is no lane ${name}.`);
    return lane;
  }

  /** What the model says to a request: what the plan has, with marks of its own. */
  #answer(lane: OpenLane, branch: string, steps: readonly (RunStep | ForkStep)[], body: Json): Answer {
    const { run, turn } = placeOf(saidIn(body));
    const step = steps.find((one): one is RunStep => one.kind === 'run' && one.run === run);
    const names = step?.turns[turn - 1];
    if (step === undefined || names === undefined)
      throw new TypeError(`The plan has no turn ${String(turn)} of ${run}.`);
    const serial = ++lane.serial;
    const answered = markOf('s', serial);
    lane.arrived.set(branch, [...(lane.arrived.get(branch) ?? []), { body, run, turn, answered }]);
    const note = `${answered} ${WORDS.repeat(2)}`;
    const isLast = names.length === 0;
    return {
      thought: markOf('t', serial),
      text: isLast && step.form === true ? JSON.stringify({ paid: true, note }) : note,
      calls: names.map((name, index) => ({
        id: nameCall(run, turn, serial, index),
        ...(name === 'open'
          ? {
              name: 'open_sections',
              arguments: { section_keys: [sectionOpenedIn(run)], reason: markOf(`c${String(index)}`, serial) },
            }
          : { name, arguments: { mark: markOf(`c${String(index)}`, serial) } }),
      })),
      before: () => this.#watch(lane.name),
    };
  }

  /** Compares what the doubles saw, what the store has, and what was done outside. */
  async count(): Promise<Outcome> {
    const rows: Row[] = [];
    const facts: BranchFacts[] = [];
    const tallies: BranchTally[] = [];
    for (const { name: lane, approvals, arrived } of this.#lanes) {
      const branches = await this.#factsOf(lane, arrived);
      const [main, ...copies] = branches.map(tallyBranch);
      if (main === undefined) throw new TypeError(`${lane} has no conversation.`);
      facts.push(...branches);
      tallies.push(main, ...copies);
      const requests = [main, ...copies].reduce((sum, tally) => sum + tally.requests, 0);
      const gone = copies.filter(({ turns }) => turns > 0).length;
      rows.push({ lane, turns: main.turns, requests, segments: main.segments, approvals, copies: gone });
    }
    const doubles = this.#lanes.flatMap((lane) => Object.values(lane.doubles));
    const folder = join(this.#folder, 'effects');
    const done = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const faults = {
      refused: doubles.flatMap((double) => double.refusals()),
      dropped: doubles.flatMap((double) => double.drops()),
      changed: tallies.flatMap(({ changed }) => changed),
      lost: [...tallies.flatMap(({ lost }) => lost), ...lostOf(this.#kept, facts)],
      repeated: tallies.flatMap(({ repeated }) => repeated),
      ...tallyEffects(facts, done),
    };
    const few = Object.entries(faults).map(([kind, all]) => [kind, all.length > 20 ? all.slice(0, 20) : all] as const);
    return { rows, kills: this.#kills, faults: Object.fromEntries(few) };
  }

  async #factsOf(lane: string, arrived: OpenLane['arrived']): Promise<readonly BranchFacts[]> {
    const read = (branch: string) => this.#store.entries(nameConversation(lane, branch));
    const requests = arrived.get('main') ?? [];
    const entries = await read('main');
    const main: BranchFacts = { conversation: nameConversation(lane, 'main'), requests, entries };
    const copies = BRANCHES.slice(1).map(async (branch): Promise<BranchFacts> => {
      const copy = await read(branch);
      const copied = { requests, entries: countCopied(entries, copy) };
      const own = arrived.get(branch) ?? [];
      return { conversation: nameConversation(lane, branch), requests: own, entries: copy, copied };
    });
    return [main, ...(await Promise.all(copies))];
  }
}

/** The number of entries that a copy began with; the first one names the copy. */
function countCopied(original: readonly RunEntry[], copy: readonly RunEntry[]): number {
  const own = copy.findIndex((entry, at) => at > 0 && !isDeepStrictEqual(entry, original[at]));
  return own < 0 ? copy.length : own;
}

/** Numbers from 0 to 1 that are the same for the same seed. */
function randomsFrom(seed: number): () => number {
  let state = seed % 2_147_483_647 || 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

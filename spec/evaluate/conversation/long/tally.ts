import type { RunEntry } from 'toolwright/conversations';
import { isJson, list, type Json } from '../../../../packages/openai/spec/support/json';
import { describeEntry, marksIn } from './plan';
import type { Said } from './worker';

/** A request as its double received it, in the order of their arrival. */
export interface Arrived {
  readonly body: Json;
  readonly run: string;
  readonly turn: number;
  /** The mark of the answer that it got. */
  readonly answered: string;
}

/** One branch: what was asked of the doubles, and what the store has. */
export interface BranchFacts {
  readonly conversation: string;
  readonly requests: readonly Arrived[];
  readonly entries: readonly RunEntry[];
  /** The requests of the branch that it was copied from, and the number of entries that it began with. */
  readonly copied?: { readonly requests: readonly Arrived[]; readonly entries: number } | undefined;
}

/** What is wrong with a branch, a line each; and how long it is. */
export interface BranchTally {
  readonly turns: number;
  readonly requests: number;
  readonly segments: number;
  readonly lost: readonly string[];
  readonly changed: readonly string[];
  readonly repeated: readonly string[];
}

/** The place of an answer in the record. */
interface Place {
  /** A stretch of requests of which each begins with the one before: of one segment and one model. */
  readonly stretch: number;
  /** What the request had to hold: every mark before it, and the thoughts of its stretch. */
  readonly marks: readonly string[];
  readonly thoughts: readonly string[];
  readonly answered: readonly string[];
}

/** Compares the requests of a branch with its record, and with each other. */
export function tallyBranch({ conversation, requests, entries, copied }: BranchFacts): BranchTally {
  const places = placesIn(entries);
  const lost: string[] = [];
  const changed: string[] = [];
  const repeated: string[] = [];
  const placeAt = ({ run, turn }: Arrived): Place | undefined => places.get(`${run} ${String(turn)}`);
  let before = copied?.requests.filter((request) => placeAt(request) !== undefined).at(-1);
  const recorded = new Set<string>();
  for (const request of requests) {
    const name = `${conversation}, ${request.run}, turn ${String(request.turn)}`;
    const place = placeAt(request);
    if (place === undefined) {
      lost.push(`${name}: the record has no such answer`);
      continue;
    }
    const there = new Set(marksIn(request.body));
    for (const mark of [...place.marks, ...place.thoughts]) if (!there.has(mark)) lost.push(`${name}: ${mark}`);
    const earlier = before === undefined ? undefined : placeAt(before);
    if (before !== undefined && earlier?.stretch === place.stretch) {
      const places = changedEntries(before.body, request.body);
      changed.push(...places.map(([where, bytes]) => `${name}: ${String(bytes)} bytes of ${where}`));
    }
    before = request;
    if (recorded.has(name)) repeated.push(name);
    if (place.answered.includes(request.answered)) recorded.add(name);
  }
  const answers = entries.slice(copied?.entries ?? 0).filter(({ kind }) => kind === 'answer').length;
  const segments = entries.filter(({ kind }) => kind === 'segment').length;
  return { turns: answers, requests: requests.length, segments, lost, changed, repeated };
}

function placesIn(entries: readonly RunEntry[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const marks: string[] = [];
  let thoughts: string[] = [];
  let [run, stretch] = ['', 0];
  for (const entry of entries) {
    if (entry.kind === 'segment' || entry.kind === 'model') {
      stretch++;
      thoughts = [];
    } else if (entry.kind === 'run') {
      run = entry.run;
      marks.push(...marksIn(entry.messages));
    } else if (entry.kind === 'answer') {
      const answered = marksIn([entry.text, entry.toolCalls]);
      const place = { stretch, marks: [...marks], thoughts: [...thoughts], answered };
      places.set(`${run} ${String(entry.turn)}`, place);
      marks.push(...answered);
      thoughts.push(...marksIn(entry.native).filter((mark) => mark.startsWith('t:')));
    } else if (entry.kind === 'outcome') marks.push(...marksIn(entry.message.content));
  }
  return places;
}

/** The entries of a request that a later one does not begin with, and their bytes: as they went over HTTP, cache marks aside. */
function changedEntries(before: Json, after: Json): readonly (readonly [where: string, bytes: number])[] {
  const later = new Map(entriesOf(after));
  return entriesOf(before)
    .filter(([where, text]) => later.get(where) !== text)
    .map(([where, text]) => [where, Buffer.byteLength(text)]);
}

function entriesOf(body: Json): readonly (readonly [where: string, text: string])[] {
  const said = 'input' in body ? 'input' : 'messages';
  const head = ['system', 'instructions', 'tools', 'text', 'responseFormat'].filter((key) => !isOwnForm(key, body));
  return [
    ...head.map((key) => [key, written(body[key])] as const),
    ...list(body[said]).map((entry, at) => [`${said}[${String(at)}]`, written(entry)] as const),
  ];
}

/** True for a form of the answer to which nothing is bound. */
function isOwnForm(key: string, { provider }: Json): boolean {
  return key === 'responseFormat' && !String(provider).startsWith('openai.responses');
}

/** Marks for a cache move from request to request. */
const CACHE = ['cache_control', 'cacheControl'];

function written(value: unknown): string {
  const text = JSON.stringify(value ?? null, (key, member: unknown) => (CACHE.includes(key) ? undefined : member));
  // Options of which nothing but a mark was there.
  return text
    .replaceAll(',"providerOptions":{"anthropic":{}}', '')
    .replaceAll('"providerOptions":{"anthropic":{}},', '');
}

/** Effects outside that a record has and the service has not, that it has more than once, and those that no record has. */
export interface EffectTally {
  readonly missing: readonly string[];
  readonly twice: readonly string[];
  readonly stray: readonly string[];
  /** Results whose count of all effects shows a session that lost one, or has one twice. */
  readonly states: readonly string[];
}

/** @param done the effects of the service, each as conversation and mark */
export function tallyEffects(branches: readonly BranchFacts[], done: readonly string[]): EffectTally {
  const states: string[] = [];
  const expected = branches.flatMap(({ conversation, entries, copied }) => {
    let count = 0;
    return entries.flatMap((entry, at) => {
      if (entry.kind !== 'outcome' || ['look', 'open_sections'].includes(entry.name)) return [];
      const [mark = ''] = marksIn(entry.message.content);
      const text = `${conversation} ${mark.replace('r', 'c')}`;
      if (!entry.message.content.includes(` ${String(++count)} in all`))
        states.push(`${text}: ${entry.message.content}`);
      return at < (copied?.entries ?? 0) ? [] : [text];
    });
  });
  const times = (text: string): number => done.filter((one) => one === text).length;
  return {
    missing: expected.filter((text) => times(text) === 0),
    twice: [...new Set(done)].filter((text) => times(text) > 1),
    stray: done.filter((text) => !expected.includes(text)),
    states,
  };
}

/** The entries that a process was told to be safe, and that are not where they were. */
export function lostOf(kept: readonly Extract<Said, { kept: string }>[], branches: readonly BranchFacts[]): string[] {
  const records = new Map(branches.map(({ conversation, entries }) => [conversation, entries.map(describeEntry)]));
  return kept.flatMap(({ kept: conversation, after, texts }) =>
    texts
      .filter((text, at) => records.get(conversation)?.[after + at] !== text)
      .map((text) => `${conversation}: ${text} was safe`),
  );
}

/** The messages or items of a request. */
export function saidIn(body: Json): unknown {
  const said = body['input'] ?? body['messages'];
  return isJson(said) ? [] : said;
}

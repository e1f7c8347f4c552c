// Measures the search of a prompt: how often the wanted tool is among the first, how long 10,000 tools take, and what the first request
// saves. The set of tools and queries is read from ../shared/data/tool-search; without it, its rows are left out.
import 'reflect-metadata';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  VisibilityExpansionRequired,
  type BoundPrompt,
  type Application,
  type JsonSchema,
} from 'toolwright';
import { approximateTokens } from 'toolwright/adapters';
import { jsonSchema } from '@toolwright/json-schema';
import { inForm } from './harness/effort.js';
import { figureOf } from './harness/Figure.js';
import { peersOf } from './harness/peersOf.js';
import { Report } from './harness/Report.js';

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

interface Query {
  readonly text: string;
  readonly wanted: string;
}

/** Returns the names of found tools, the best first. */
type Find = (query: string) => Promise<readonly string[]>;

const MOST = 10;
const TOOLS = 10_000;
const folder = process.env['TOOLWRIGHT_DATA'] ?? join(process.cwd(), '../shared/data');
const report = new Report('search');

function readLines<T>(file: string): readonly T[] {
  const text = readFileSync(join(folder, 'tool-search', file), 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line) as T);
}

/** Writes a schema of the set, which names types as Python does, as JSON Schema. */
function toJsonSchema(schema: JsonSchema): JsonSchema {
  const types: Readonly<Record<string, string>> = { dict: 'object', float: 'number', tuple: 'array' };
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'optional' || key === 'default') return undefined;
    if (key !== 'type' || typeof value !== 'string') return value;
    return value === 'any' ? undefined : (types[value] ?? value);
  });
  return JSON.parse(text) as JsonSchema;
}

/** Returns names that every provider takes, each once. */
function toLegalNames(tools: readonly Listed[]): readonly Listed[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    let name = tool.name.replace(/[^A-Za-z0-9_-]/g, '_');
    while (taken.has(name)) name += '_';
    taken.add(name);
    return { ...tool, name, parameters: toJsonSchema(tool.parameters) };
  });
}

async function createDesk(
  tools: readonly Listed[],
  search: boolean,
): Promise<{ readonly app: Application; readonly prompt: BoundPrompt }> {
  // Compiling a schema takes milliseconds, and many tools have the same one.
  const compiled = new Map<string, ReturnType<typeof jsonSchema>>();
  const defined = tools.map(({ name, description, parameters }) => {
    const key = JSON.stringify(parameters);
    const params = compiled.get(key) ?? jsonSchema(parameters);
    compiled.set(key, params);
    return defineTool({ name, description, params, handler: () => 'done' });
  });
  const section = defineSection({ key: 's', title: 'S', searchable: true, tools: defined });
  const desk = definePrompt({ ns: 'bench', key: 'search', search, toolTexts: 'wide', sections: [section] });
  const app = await createApplication({ prompts: [desk] });
  return { app, prompt: app.prompt(desk) };
}

async function createFind(tools: readonly Listed[]): Promise<Find> {
  const { app, prompt } = await createDesk(tools, true);
  const rendered = await prompt.render();
  return async (query) => {
    try {
      await app.callTool(rendered, { id: '1', name: 'search_tools', arguments: { query, limit: MOST } });
    } catch (error) {
      if (error instanceof VisibilityExpansionRequired) return error.requestedTools ?? [];
      throw error;
    }
    return [];
  };
}

async function addShares(who: string, find: Find, queries: readonly Query[]): Promise<void> {
  const ranks: number[] = [];
  for (const { text, wanted } of queries) ranks.push((await find(text)).indexOf(wanted));
  for (const first of [1, 5, 10]) {
    const hits = ranks.filter((rank) => rank >= 0 && rank < first).length;
    report.addOne(`queries whose tool is among the first ${String(first)}, ${who}`, hits / queries.length, 'share');
  }
}

async function addRanking(): Promise<void> {
  const given = readLines<Listed>('tools.jsonl');
  const tools = toLegalNames(given);
  const nameOf = new Map(given.map(({ name }, at) => [name, tools[at]?.name ?? '']));
  const queries = readLines<Query>('queries.jsonl').map(({ text, wanted }) => ({
    text,
    wanted: nameOf.get(wanted) ?? '',
  }));
  await addShares('toolwright', await createFind(tools), queries);
  const listed = tools.map(({ name, description }) => ({ name, description }));
  const { contenders } = await peersOf('search', { tools: listed, most: MOST });
  for (const [name, find] of Object.entries(contenders)) await addShares(name, find as Find, queries);
  await addTokens(tools);
}

/** Adds the tokens of the tools in the first request. */
async function addTokens(tools: readonly Listed[]): Promise<void> {
  for (const [how, search] of [
    ['listed', false],
    ['searched', true],
  ] as const) {
    const rendered = await (await createDesk(tools, search)).prompt.render();
    const tokens = approximateTokens(JSON.stringify(rendered.toolSchemas('openai')));
    report.addOne(`tools in the first request, ${String(tools.length)} ${how}`, tokens, 'tokens');
  }
}

/** Names tools of bridged servers: each verb with each noun, many times over. */
function createTools(count: number): readonly Listed[] {
  const verbs = 'create cancel list update archive export merge copy share rename'.split(' ');
  const nouns = 'order invoice ticket customer refund parcel branch commit issue label photo album song route'.split(
    ' ',
  );
  return Array.from({ length: count }, (_, at) => {
    const [verb = '', noun = ''] = [verbs[at % verbs.length], nouns[Math.floor(at / verbs.length) % nouns.length]];
    return {
      name: `server${String(at % 97)}_${verb}_${noun}_${String(at)}`,
      description: `The tool that can ${verb} the ${noun} of account ${String(at)}, and returns its new state.`,
      parameters: { type: 'object', properties: { id: { type: 'string', description: `The ${noun}` } } },
    };
  });
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

async function addTimes(): Promise<void> {
  const tools = createTools(TOOLS);
  const first: number[] = [];
  let find: Find = () => Promise.resolve([]);
  for (let round = 0; round < inForm(5, 2); round++) {
    find = await createFind(tools);
    first.push(await timeOf(() => find('cancel order 4161')));
  }
  const times: number[] = [];
  for (let at = 0; at < inForm(2_000, 400); at++)
    times.push(await timeOf(() => find(tools[(at * 37) % TOOLS]?.description ?? '')));
  times.sort((one, other) => one - other);
  const quantile = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  report.add('first search among 10,000 tools, with its index', figureOf(first), 'ms', 500);
  report.addOne('later searches among 10,000 tools, median', quantile(0.5), 'ms', 2);
  report.addOne('later searches among 10,000 tools, 99th percentile', quantile(0.99), 'ms', 20);
}

async function main(): Promise<void> {
  if (existsSync(join(folder, 'tool-search'))) await addRanking();
  await addTimes();
  report.keep();
}

void main();

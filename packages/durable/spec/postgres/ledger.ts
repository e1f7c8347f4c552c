import 'reflect-metadata';
import {
  bind,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type ModelResponse,
  type ToolContext,
} from 'toolwright';
import type { Conversation } from 'toolwright/conversations';
import { PostgresTransactions, type PostgresTransactionsOptions, Sql, type SqlPool } from 'toolwright/resources';
import { type DurableStore, openRuns, type RunEngine, type Runs } from '@toolwright/durable';
import { jsonSchema } from '@toolwright/json-schema';

/** What a call does with the transaction that it has. */
export type Handler = (sql: Sql, context: ToolContext, item: string) => Promise<string>;

export interface LedgerOptions extends PostgresTransactionsOptions {
  readonly engine?: RunEngine;
  readonly work?: boolean;
  /** The tools, each of which changes nothing but the session and the database. */
  readonly tools: Readonly<Record<string, Handler>>;
  /** The names of the tools that are read-only. */
  readonly readOnly?: readonly string[];
  /** The names of the tools that the model calls in each turn. */
  readonly turns: readonly (readonly string[])[];
}

/** Writes a line into the table of effects; any that is there twice was done twice. */
export const book: Handler = async (sql, _context, item) => {
  await sql.query('INSERT INTO effects (item) VALUES ($1)', [item]);
  return `Booked ${item}.`;
};

/** The table of effects. The second column names an item that must be there in the end. */
export const TABLE = `CREATE TABLE IF NOT EXISTS effects (
  id serial PRIMARY KEY, item text NOT NULL, needs integer REFERENCES effects DEFERRABLE INITIALLY DEFERRED)`;

/** Durable runs whose tools write to the database of `pool`. */
export async function openLedger(pool: SqlPool, store: DurableStore, options: LedgerOptions): Promise<Runs> {
  const { engine, work, tools, turns, readOnly = [], ...settings } = options;
  const params = jsonSchema<{ item: string }>({
    type: 'object',
    properties: { item: { type: 'string' } },
    required: ['item'],
  });
  const section = defineSection({
    key: 'ledger',
    title: 'Ledger',
    tools: Object.entries(tools).map(([name, handler]) =>
      defineTool({
        ...{ name, description: `Does ${name}.`, params },
        hints: readOnly.includes(name) ? { readOnly: true } : { openWorld: false },
        handler: async ({ item }, context) => handler(await context.resources.resolve(Sql), context, item),
      }),
    ),
  });
  const Ledger = definePrompt({ ns: 'test', key: 'ledger', sections: [section] });
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const app = await createApplication({
    prompts: [Ledger],
    logger: quiet,
    keys: ['a key of the ledger, for specs alone'],
    resources: [bind(Sql, { value: new PostgresTransactions(pool, settings) })],
  });
  const complete = ({ messages }: { messages: Conversation['messages'] }): Promise<ModelResponse> => {
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    const toolCalls = (turns[turn] ?? []).map((name, index) => {
      const id = `${String(turn)}.${String(index)}`;
      return { id, name, arguments: { item: `${name} ${id}` } };
    });
    return Promise.resolve(
      toolCalls.length > 0
        ? { text: null, toolCalls, finishReason: 'tool_calls', usage: undefined }
        : { text: 'Done.', toolCalls, finishReason: 'stop', usage: undefined },
    );
  };
  return openRuns(app, {
    store,
    engine,
    work,
    pollMs: 20,
    prepare: () => ({ prompt: Ledger, adapter: { name: 'scripted (not a model)', complete } }),
  });
}

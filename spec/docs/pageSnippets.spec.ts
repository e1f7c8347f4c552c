import { join } from 'node:path';
import { compileTexts } from '../support/compileTexts.js';
import { pages, snippetsOf } from '../support/snippets.js';

jest.setTimeout(120_000);

/**
 * Names that blocks use without declaring or importing them: of Toolwright, of libraries that the page names, and of the reader's own
 * application.
 */
const GLOBALS = `
  type Core = typeof import('toolwright');
  declare const { bind, createApplication, Param, Prompt, Section, Session, Tool, ToolContext, ToolwrightError, ToolValidationError }: Core;
  type IncomingMessage = import('node:http').IncomingMessage;
  type ServerResponse = import('node:http').ServerResponse;
  type Message = import('toolwright').Message;
  type ToolContext = import('toolwright').ToolContext;
  type ToolwrightError = import('toolwright').ToolwrightError;
  type Constructor<T> = import('toolwright').Constructor<T>;
  type Approver = import('toolwright/policies').Approver;
  type Interceptor = import('toolwright/policies').Interceptor;
  declare const { Conversation }: typeof import('toolwright/conversations');
  declare const { callTransaction }: Core;
  declare const { limitRequests, openRuns }: typeof import('@toolwright/durable');
  declare const { SqliteRuns }: typeof import('@toolwright/durable/sqlite');
  declare const { Sql }: typeof import('toolwright/resources');
  declare const { mcpSection, pinFile }: typeof import('@toolwright/mcp');
  declare const { OpenAIResponsesAdapter }: typeof import('@toolwright/openai');
  declare const { AnthropicAdapter }: typeof import('@toolwright/anthropic');
  declare const { engineChecks }: typeof import('@toolwright/contracts');
  declare const { agUiHandler, chatHandler }: typeof import('@toolwright/ui');
  declare const { inspectorHandler }: typeof import('@toolwright/inspector');
  type InspectorHandler = import('@toolwright/inspector').InspectorHandler;
  declare const { Toolwright, ToolwrightModule }: typeof import('@toolwright/nestjs');
  declare const { StreamableHTTPClientTransport, UnauthorizedError }: typeof import('@modelcontextprotocol/client');
  type Client = import('@modelcontextprotocol/client').Client;
  declare const { Test }: typeof import('@nestjs/testing');
  declare const { PgBoss }: typeof import('pg-boss');
  declare const { RateLimiterPostgres }: typeof import('rate-limiter-flexible');
  declare const { Matches }: typeof import('class-validator');
  declare const { writeFile }: typeof import('node:fs/promises');

  declare class Plan {}
  declare class Cart {}
  declare class Reports {}
  declare class Orders {}
  declare class OrderParams { item: string; }
  declare class OutOfStock extends Error {}
  declare class OrdersService {}
  declare class Desk {}
  declare class Order {}
  declare class SupportDesk {}
  declare class AppModule {}
  declare const TableRuns: new (pool: import('pg').Pool) => import('toolwright/conversations').RunStore;
  declare const app: import('toolwright').Application;
  declare const prompts: import('toolwright').ApplicationOptions['prompts'];
  declare const prompt: import('toolwright').BoundPrompt;
  declare const rendered: import('toolwright').RenderedPrompt;
  declare const adapter: import('toolwright').ModelAdapter;
  declare const session: import('toolwright').Session;
  declare const slices: import('toolwright').SessionOptions['slices'];
  declare const messages: readonly Message[];
  declare const approver: Approver;
  declare const other: import('toolwright/conversations').Conversation;
  declare const conversation: import('toolwright/conversations').Conversation;
  declare const store: import('@toolwright/durable/sqlite').SqliteRuns;
  declare const runs: import('@toolwright/durable').Runs;
  declare const allRuns: import('@toolwright/durable').Runs;
  declare const run: Awaited<ReturnType<import('@toolwright/durable').Runs['start']>>;
  declare const prepare: import('@toolwright/durable').RunsOptions['prepare'];
  declare const engine: import('@toolwright/durable').RunEngine;
  declare const toolwright: import('@toolwright/nestjs').Toolwright;
  declare const nest: import('@nestjs/platform-express').NestExpressApplication;
  declare const host: import('@nestjs/common').ArgumentsHost;
  declare const client: Client;
  declare const transport: import('@modelcontextprotocol/client').Transport;
  declare const provider: import('@modelcontextprotocol/client').OAuthClientProvider;
  declare const pool: import('pg').Pool;
  declare const openai: import('openai').OpenAI;
  declare const anthropic: import('@anthropic-ai/sdk').Anthropic;
  declare const openMyProvider: Parameters<typeof import('@toolwright/contracts').modelAdapterContract>[0];
  declare const MySandbox: new () => Parameters<(typeof import('@toolwright/contracts').engineChecks)[number]['run']>[0];
  declare const myModel: { ask(request: object, signal: AbortSignal): Promise<{ text: string; calls: { id: string; name: string; arguments: string }[] }> };
  declare const dataSource: { manager: EntityManager; transaction(work: (manager: EntityManager) => Promise<void>): Promise<void> };
  interface EntityManager { query(sql: string): Promise<unknown>; }
  declare namespace Prisma { interface TransactionClient { $executeRaw(sql: TemplateStringsArray): Promise<unknown>; } }
  declare const prisma: { $transaction(work: (client: Prisma.TransactionClient) => Promise<void>, options: object): Promise<void> };
  declare const secrets: { readonly current: string; readonly previous: string };
  declare const authenticate: import('@toolwright/ui').ChatHandlerOptions['authenticate'];
  declare const request: Request & { readonly user: { readonly tenant: string } };
  declare const outbox: { readonly sent: readonly string[] };
  declare const png: Buffer;
  declare const key: Buffer;
  declare const url: URL;
  declare const callbackUrl: URL;
  declare const signal: AbortSignal;
  declare const runId: string;
  declare const questionId: string;
  declare const requestId: string;
  declare const connectionString: string;
  declare const id: string;
  declare const lastSeq: number;
  declare const isWorker: boolean;
  declare const mapped: Error;
  declare const double: object;
  declare function createTestApplication(options: { approver: Approver; database: string }): Promise<import('toolwright').Application>;
  declare function modelFor(plan: string): import('toolwright').ModelAdapter;
  declare function summarise(past: readonly Message[]): Promise<string>;
  declare function summaryOf(past: readonly Message[]): Promise<string>;
  declare function connect(): Promise<Client>;
  declare function ask(params: { message: string }): Promise<{ action: 'decline' }>;
  declare function post(body: object): Promise<void>;
  declare function send(value: unknown): void;
  declare function show(value: unknown): void;
  declare function log(...values: unknown[]): void;
`;

/** Pages whose blocks other specs compile, or that show code of other libraries. */
const apart = ['README.md', 'docs/getting-started.md', 'docs/nestjs.md', 'docs/options.md', 'docs/migration/'];

/** Blocks of TypeScript that are not taken from a file. */
const snippets = pages
  .filter((page) => !apart.some((each) => page.startsWith(each)))
  .flatMap(snippetsOf)
  .filter(({ source, language }) => source === undefined && language === 'ts');

/** The block as a module: members of a class and options of a call are put into one. */
function createModule(code: string): string {
  const text = code.replaceAll('{ … }', '{ throw new Error(); }').replace(/^import .* from '\.\/.*';$/gm, '');
  if (/^\w+: /.test(text))
    return `export const options: Partial<import('toolwright').ApplicationOptions> = {\n${text}\n};`;
  if (text.startsWith('@') && !/^(?:export )?class /m.test(text))
    return `class Snippet {\n${text}${text.includes('{\n') ? '' : 'member(): void {}'}\n}\nexport {};`;
  return `${text}\nexport {};`;
}

/** Says for each block why it does not compile; empty if it does. */
function compileSnippets(areStandard: boolean): ReadonlyMap<number, readonly string[]> {
  // Not a file of declarations, which the compiler would not check.
  const globals = join(__dirname, 'globals.ts');
  const files = new Map([[globals, GLOBALS]]);
  const names = new Map<number, string>();
  for (const [index, { code }] of snippets.entries()) {
    if (code.includes("from 'toolwright/es'") !== areStandard) continue;
    const name = join(__dirname, `snippet${String(index)}.mts`);
    names.set(index, name);
    files.set(name, createModule(code));
  }
  const listFaults = compileTexts(files, {
    // The names are global, so their file must not become a module.
    moduleDetection: 'legacy',
    ...(areStandard ? { experimentalDecorators: false, emitDecoratorMetadata: false } : {}),
  });
  const findFaults = (path: string): readonly string[] => listFaults(path).map(({ problem }) => problem);
  const wrong = findFaults(globals);
  if (wrong.length > 0) throw new Error(`The names that blocks may use do not compile: ${wrong.join('; ')}`);
  return new Map([...names].map(([index, name]) => [index, findFaults(name)]));
}

const faults = new Map([...compileSnippets(false), ...compileSnippets(true)]);

test.each(snippets.map(({ page, code }, index) => ({ page, index, first: code.split('\n', 1).join('') })))(
  'block $index without a file compiles, in $page: $first',
  ({ index }) => {
    expect(faults.get(index)).toEqual([]);
  },
);

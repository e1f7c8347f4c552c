import {
  type Application,
  type ApplicationOptions,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type JsonValue,
  type ToolContext,
} from 'toolwright';
import { MemoryRuns, openRuns, type Runs, type RunsOptions } from '@toolwright/durable';
import { McpClient } from '@toolwright/mcp';
import { type McpTask, McpTasks } from '../../../src/server/tasks/McpTasks';
import type { McpTaskOptions } from '../../../src/server/tasks/McpTaskOptions';
import type { TaskClientInfo } from '../../../src/server/tasks/TaskInput';

/** A handler without params. */
export type Handler = (params: unknown, context: ToolContext) => unknown;

const form = { type: 'object', properties: { name: { type: 'string' } } } as const;
export const bob: TaskClientInfo = { transport: 'http', principal: 'bob', capabilities: { elicitation: {} } };
export const eve: TaskClientInfo = { ...bob, principal: 'eve' };

/** Tasks in this process, with their runs. */
export interface TaskDesk {
  readonly app: Application;
  readonly tasks: McpTasks;
  readonly runs: Promise<Runs>;
}

const open: TaskDesk[] = [];

/** Ends every desk of the test; for `afterEach`. */
export async function closeDesks(): Promise<void> {
  for (const { tasks, app } of open.splice(0)) {
    await tasks.close(0);
    await app.close();
  }
}

/** Opens tasks whose tools have these handlers. Without a store, they are kept in memory. */
export async function openDesk(
  handlers: Readonly<Record<string, Handler>>,
  {
    runs: given,
    tasks: settings,
    app: applicationOptions,
    needsApproval = false,
  }: {
    readonly needsApproval?: boolean;
    readonly runs?: Partial<RunsOptions>;
    readonly tasks?: Partial<McpTaskOptions>;
    readonly app?: Partial<ApplicationOptions>;
  } = {},
): Promise<TaskDesk> {
  const tools = Object.entries(handlers).map(([name, handler]) =>
    defineTool({
      name,
      description: `Does ${name}.`,
      hints: { openWorld: false },
      requiresApproval: needsApproval,
      handler,
    }),
  );
  const Desk = definePrompt({ ns: 'a', key: 'desk', sections: [defineSection({ key: 's', title: 'S', tools })] });
  const app = await createApplication({ prompts: [Desk], keys: ['k'.repeat(32)], ...applicationOptions });
  let resolve: (runs: Promise<Runs>) => void = () => undefined;
  const runs = new Promise<Runs>((done) => (resolve = done));
  const tasks = new McpTasks({
    app,
    promptFor: () => app.prompt(Desk),
    options: {},
    askedLate: new Set(),
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    settings: {
      tools: Object.fromEntries(Object.keys(handlers).map((name) => [name, 'optional'])),
      open: (prepare) => {
        const opened = openRuns(app, { store: new MemoryRuns(), pollMs: 20, ...given, prepare });
        resolve(opened);
        return opened;
      },
      ...settings,
    },
  });
  const desk = { app, tasks, runs };
  open.push(desk);
  return desk;
}

/** Creates a task of bob, or of another client. */
export async function startTask(
  { tasks }: TaskDesk,
  tool: string,
  client: TaskClientInfo = bob,
  given: Readonly<Record<string, JsonValue>> = {},
): Promise<McpTask> {
  const task = await tasks.create({ client, tool, arguments: given });
  if (task === undefined) throw new Error('The task was refused.');
  return task;
}

/** Lets timers and other work go on. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}

/** Polls a task of bob until it has one of these states. */
export async function awaitTask(
  { tasks }: TaskDesk,
  id: string,
  ...wanted: readonly McpTask['status'][]
): Promise<McpTask> {
  for (;;) {
    const task = await tasks.get(bob, id);
    if (wanted.includes(task.status)) return task;
    await pause();
  }
}

/** Returns the key of the only question of a task. */
export function onlyKey({ inputRequests = {} }: McpTask): string {
  const keys = Object.keys(inputRequests);
  if (keys.length !== 1) throw new Error(`The task asks ${String(keys.length)} questions.`);
  return keys[0] as string;
}

/** Asks the client for a name. */
export async function askName(context: ToolContext, message = 'Your name?'): Promise<string> {
  const answer = await McpClient.of(context)?.elicit(message, form);
  return String(answer?.content?.['name'] ?? answer?.action);
}

export const accept = (name: string): unknown => ({ action: 'accept', content: { name } });

import type { SessionOptions } from 'toolwright';
import type { Runs, RunsOptions } from '@toolwright/durable';

/**
 * How a tool is offered as a task. `optional`: a client without the extension waits for the result instead; `required`: its call is
 * refused (-32021).
 */
export type McpTaskSupport = 'optional' | 'required';

/** The rule of one tool. */
export interface McpTaskRule {
  readonly support: McpTaskSupport;
  /**
   * When the task begins. `call`, the default: at once. `handler`: when the handler calls `client.continueAsTask()`, for example after it
   * has asked its user; until then, the client waits.
   */
  readonly begins?: 'call' | 'handler' | undefined;
}

/** Options of tool calls that run as tasks. */
export interface McpTaskOptions {
  /**
   * Opens the durable runs that the tasks are. Called once; `server.close()` drains them. The store must hold nothing but tasks.
   *
   * @param prepare the option `prepare` of `openRuns`
   * @example
   * open: (prepare) => openRuns(app, { store: new SqliteRuns('./tasks.db'), prepare, onUnknown: 'ask' })
   */
  readonly open: (prepare: RunsOptions['prepare']) => Promise<Runs>;
  /** The tools whose calls become tasks, by name. Calls of all other tools are answered directly. */
  readonly tools: Readonly<Record<string, McpTaskSupport | McpTaskRule>>;
  /** The classes of the session's state. A task has a session of its own, which is kept in its log. */
  readonly slices?: SessionOptions['slices'] | undefined;
  /** The milliseconds that a task exists, from its creation; an hour by default. A call that still runs then is aborted. */
  readonly ttlMs?: number | undefined;
  /** The milliseconds that a client should wait between two polls; 1,000 by default. */
  readonly pollIntervalMs?: number | undefined;
  /**
   * The most tasks of one principal that are kept, also ended ones; 1,000 by default. Answers that were sent to a task count as well.
   * Anonymous clients count as one principal.
   */
  readonly maxTasksPerPrincipal?: number | undefined;
}

/** Returns the rule of a tool; undefined if its calls never become tasks. */
export function findTaskRule({ tools }: McpTaskOptions, name: string): Required<McpTaskRule> | undefined {
  const rule = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (rule === undefined) return undefined;
  return typeof rule === 'string'
    ? { support: rule, begins: 'call' }
    : { support: rule.support, begins: rule.begins ?? 'call' };
}

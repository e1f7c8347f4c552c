import type { Application, BoundPrompt, Constructor, EvaluateOptions, Message, ModelAdapter } from 'toolwright';
import { Session } from 'toolwright';
import {
  aFunction,
  anObject,
  formOf,
  isClass,
  listOf,
  type OptionForms,
  requireOptions,
  requireValue,
} from 'toolwright/internal';
import { describeValue } from 'toolwright/internal/light';
import type { EvalOptions, EvalRun } from './Eval.js';
import { EvalError } from './EvalError.js';
import { listCalls } from './run/listCalls.js';
import type { EvalTask } from './tasks/EvalTask.js';

type Awaitable<T> = T | PromiseLike<T>;

/** The options of `promptRun`. */
export interface PromptRunOptions<I = unknown> {
  /** The application, or a function that opens one for each run, which is closed after the scorers. */
  readonly app: Application | ((task: EvalTask<I>) => Awaitable<Application>);
  /** The prompt, or a function that binds its params. */
  readonly prompt: Constructor | ((app: Application, task: EvalTask<I>) => BoundPrompt);
  /** The model, or a function that returns one for each run. */
  readonly adapter: ModelAdapter | ((task: EvalTask<I>, epoch: number) => ModelAdapter);
  /** Returns the session of a run; an empty one by default. */
  readonly session?: ((task: EvalTask<I>) => Awaitable<Session>) | undefined;
  /** Resources of the application that scorers get, by the names of their classes. Open an application for each run with them. */
  readonly resources?: readonly (abstract new (...args: never[]) => unknown)[] | undefined;
  /** Returns the messages; by default the input, which has to be a text or a list of messages. */
  readonly messages?: ((task: EvalTask<I>) => readonly Message[]) | undefined;
  /** Further options of `app.evaluate`, such as `budget` and `maxTurns`. */
  readonly options?: Omit<EvaluateOptions, 'adapter' | 'session' | 'messages' | 'signal'> | undefined;
}

const optionForms: OptionForms<PromptRunOptions> = {
  app: formOf('an application, or a function that opens one', (value) => {
    return typeof value === 'function' || typeof (value as Application | null)?.evaluate === 'function';
  }),
  prompt: aFunction,
  adapter: formOf('a model adapter, or a function that returns one', (value) => {
    return typeof value === 'function' || typeof (value as ModelAdapter | null)?.complete === 'function';
  }),
  session: aFunction,
  resources: listOf(aFunction),
  messages: aFunction,
  options: anObject,
};

/**
 * Creates the function `run` of an eval that asks a prompt: each run has its own session.
 *
 * @throws PromptError E413 for a wrong option
 */
export function promptRun<I = unknown>(options: PromptRunOptions<I>): EvalOptions<I>['run'] {
  requireOptions('promptRun', options, optionForms as OptionForms<PromptRunOptions<I>>);
  for (const name of ['app', 'prompt', 'adapter'] as const)
    requireValue('promptRun', name, options[name], optionForms[name]);
  const { prompt, adapter, resources = [], messages: getMessages = readMessages } = options;
  return async (task, { epoch, signal, defer }): Promise<EvalRun> => {
    const messages = getMessages(task);
    const app = await openApplication(options, task, defer);
    const session = (await options.session?.(task)) ?? new Session();
    const asked = isClass(prompt) ? app.prompt(prompt) : prompt(app, task);
    const response = await app.evaluate(asked, {
      ...options.options,
      adapter: typeof adapter === 'function' ? adapter(task, epoch) : adapter,
      session,
      messages,
      signal,
    });
    // Calls in the messages of the task are not calls of the run.
    const calls = listCalls(response.transcript.slice(1 + messages.length));
    const found = resources.map(async (type) => [type.name, await app.resources.resolve(type)] as const);
    return { response, session, calls, resources: Object.fromEntries(await Promise.all(found)) };
  };
}

async function openApplication<I>(
  { app }: PromptRunOptions<I>,
  task: EvalTask<I>,
  defer: (work: () => unknown) => void,
): Promise<Application> {
  if (typeof app !== 'function') return app;
  const opened = await app(task);
  defer(() => opened.close());
  return opened;
}

/** @throws EvalError E999 */
function readMessages({ id, input }: EvalTask): readonly Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (Array.isArray(input)) return input as readonly Message[];
  const problem = `the input of ${id} is ${describeValue(input)}, and not a text or a list of messages`;
  const remedy = 'Pass promptRun({ messages: (task) => … }).';
  throw new EvalError(problem, { code: 'E999', place: 'promptRun', remedy });
}

import { type Application, type ErrorCode, type JsonValue, PromptEvaluationError } from 'toolwright';
import type { HistoryEntry } from 'toolwright/conversations';
import { MemoryRuns, type OpenQuestion, openRuns, Runs, type RunsOptions } from '@toolwright/durable';
import { answerPreflight, makeCorsHeaders, refuseForeignOrigin } from '../http/crossOrigin.js';
import { HttpProblem } from '../http/HttpProblem.js';
import { readJson } from '../http/readJson.js';
import { DEFAULT_BODY_BYTES, MAX_PAGE } from '../limits.js';
import { Approvals } from './Approvals.js';
import type { ChatOptions, ChatSubmission, ChatUser } from './ChatOptions.js';
import { readDecision } from './readDecision.js';
import { checkMessage, requireClientId } from './readMessage.js';
import { StateReader } from './StateReader.js';
import { type ChatTurns, QUESTIONS, UserChats } from './UserChats.js';

type Data = Readonly<Record<string, unknown>>;

/** Runs, or an application with the options of `openRuns`. Without a store, chats are kept in the memory of the process. */
export type ChatSource<I extends JsonValue> =
  Runs<I> | (Partial<RunsOptions<I>> & Pick<RunsOptions<I>, 'prepare'> & { readonly app: Application });

/** A request whose sender is known. */
export interface ChatRequest<I extends JsonValue = JsonValue, User extends ChatUser = ChatUser> {
  readonly request: Request;
  readonly user: User;
  readonly runs: Runs<I>;
  readonly chats: UserChats<I>;
  readonly approvals: Approvals<I, User>;
  readonly options: ChatOptions<I, User>;
  /** Headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Makes the input of a run. */
  input(submission: Omit<ChatSubmission<User>, 'user'>): Promise<I>;
}

/** Answers the requests of chats. */
export interface ChatHandler {
  (request: Request): Promise<Response>;
  /** Ends the runs that the handler has opened for an application. Runs that were passed to it stay as they are. */
  close(): Promise<void>;
}

/** The part of a handler that depends on the protocol of the client. */
export interface ChatProtocol {
  /** Answers a request to the path of the handler itself. */
  post(chat: ChatRequest, body: Data): Promise<Response>;
  /** Sends the message that is being written; undefined if there is none. */
  resume(chat: ChatRequest, id: string): Promise<Response | undefined>;
  /** Returns the messages of a conversation in the form of the client. */
  showMessages(entries: readonly HistoryEntry[]): readonly unknown[];
}

/** Makes the handler of a protocol, with the routes that all protocols have (docs/ui.md). */
export function makeHandler<I extends JsonValue, User extends ChatUser>(
  source: ChatSource<I>,
  options: ChatOptions<I, User>,
  protocol: ChatProtocol,
): ChatHandler {
  let opened: Promise<Runs<I>> | undefined;
  const turns: ChatTurns = new Map();
  const open = (): Promise<Runs<I>> => (opened ??= openSource(source));
  const { origins = [] } = options;
  const handle = async (request: Request): Promise<Response> => {
    const headers = makeCorsHeaders(request, origins);
    try {
      if (request.method === 'OPTIONS') return answerPreflight(request, origins);
      refuseForeignOrigin(request, origins);
      const user = await options.authenticate(request);
      if (user instanceof Response) return user;
      if (user === null) throw new HttpProblem(401, 'Sign in first.');
      const runs = (await open()).forTenant(user.tenant ?? null);
      const chat = makeChatRequest(request, user, { runs, turns }, options, headers);
      return await answer(chat as unknown as ChatRequest, protocol);
    } catch (error) {
      const problem = error instanceof HttpProblem ? error : toHttpProblem(error);
      if (problem === undefined) throw error;
      const response = problem.toResponse();
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    }
  };
  const close = async (): Promise<void> => {
    if (!(source instanceof Runs)) await (await opened)?.[Symbol.asyncDispose]();
  };
  return Object.assign(handle, { close });
}

function openSource<I extends JsonValue>(source: ChatSource<I>): Promise<Runs<I>> {
  if (source instanceof Runs) return Promise.resolve(source);
  const { app, store = new MemoryRuns(), ...options } = source;
  return openRuns(app, { ...options, store });
}

function makeChatRequest<I extends JsonValue, User extends ChatUser>(
  request: Request,
  user: User,
  { runs, turns }: { readonly runs: Runs<I>; readonly turns: ChatTurns },
  options: ChatOptions<I, User>,
  headers: Readonly<Record<string, string>>,
): ChatRequest<I, User> {
  const chats = new UserChats(runs, user, turns);
  const mayAnswer = async (question: OpenQuestion): Promise<boolean> =>
    (await options.mayAnswer?.(user, question)) ?? chats.isOwnQuestion(question);
  const makeInput = options.input ?? (({ chat }) => ({ user: user.id, chat }) as unknown as I);
  return {
    request,
    user,
    runs,
    chats,
    approvals: new Approvals(runs, user, mayAnswer),
    options,
    headers,
    input: async (submission) => makeInput({ ...submission, user }),
  };
}

async function answer(chat: ChatRequest, protocol: ChatProtocol): Promise<Response> {
  const { request, options } = chat;
  const { path = '/api/chat', limits: { bodyBytes = DEFAULT_BODY_BYTES } = {} } = options;
  const { pathname } = new URL(request.url);
  if (pathname !== path && !pathname.startsWith(`${path}/`))
    throw new HttpProblem(404, 'There is nothing at this address.');
  const body = (): Promise<Data> => readJson(request, bodyBytes);
  const [first, second, ...rest] = pathname
    .slice(path.length + 1)
    .split('/')
    .map(decodeSegment);
  if (rest.length > 0) throw new HttpProblem(404, 'There is nothing at this address.');
  const isRoot = pathname === path || pathname === `${path}/`;
  if (!isRoot && (first === undefined || first === '')) throw new HttpProblem(404, 'There is nothing at this address.');
  if (isRoot || first === undefined) {
    if (request.method === 'POST') return protocol.post(chat, await body());
    requireMethod(request, 'GET', 'GET, POST');
    return sendJson(chat, { chats: await chat.chats.list(readNumber(request, 'before')) });
  }
  if (first === QUESTIONS) return answerQuestions(chat, second, body);
  return answerChat(chat, protocol, first, second, body);
}

async function answerChat(
  chat: ChatRequest,
  protocol: ChatProtocol,
  id: string,
  action: string | undefined,
  body: () => Promise<Data>,
): Promise<Response> {
  const { chats, request, options } = chat;
  switch (action) {
    case undefined:
      if (request.method === 'PATCH') {
        const { title } = await body();
        if (typeof title !== 'string' || title.trim() === '') throw new HttpProblem(400, 'The title has to be a text.');
        await chats.rename(id, title);
        return sendNothing(chat);
      }
      if (request.method === 'DELETE') {
        await chats.delete(id);
        return sendNothing(chat);
      }
      requireMethod(request, 'GET', 'GET, PATCH, DELETE');
      return sendJson(chat, await showChat(chat, id, protocol));
    case 'stream':
      requireMethod(request, 'GET', 'GET');
      return (await protocol.resume(chat, id)) ?? sendNothing(chat);
    case 'export':
      requireMethod(request, 'GET', 'GET');
      return sendJson(chat, await chats.export(id));
    case 'stop':
      requireMethod(request, 'POST', 'POST');
      await chats.stop(id);
      return sendNothing(chat);
    case 'steer': {
      requireMethod(request, 'POST', 'POST');
      const { id: message, text } = await body();
      if (typeof text !== 'string') throw new HttpProblem(400, 'The text has to be a text.');
      const given = { id: requireClientId('the message', message), texts: [text], files: [] };
      await chats.steer(id, checkMessage(given, options));
      return sendNothing(chat);
    }
    default:
      throw new HttpProblem(404, 'There is nothing at this address.');
  }
}

async function showChat(chat: ChatRequest, id: string, protocol: ChatProtocol): Promise<Data> {
  const { chats, runs, options } = chat;
  const summary = summarise(await chats.get(id));
  const last = await chats.last(id);
  const state = last && options.state && new StateReader(runs, last.run, options.state);
  await state?.refresh();
  return {
    ...summary,
    isRunning: last?.isOpen === true,
    ...(state === undefined ? {} : { state: state.state }),
    messages: protocol.showMessages(await chats.history(id)),
  };
}

async function answerQuestions(
  chat: ChatRequest,
  id: string | undefined,
  body: () => Promise<Data>,
): Promise<Response> {
  const { approvals, request } = chat;
  if (id === undefined || id === '') {
    requireMethod(request, 'GET', 'GET');
    const tool = new URL(request.url).searchParams.get('tool');
    const limit = Math.min(readNumber(request, 'limit') ?? MAX_PAGE, MAX_PAGE);
    return sendJson(chat, { questions: await approvals.list({ limit, ...(tool === null ? {} : { tool }) }) });
  }
  if (request.method === 'POST') {
    const taken = await approvals.reply(id, readDecision(await body()));
    if (taken === 'late') throw new HttpProblem(409, 'The question was answered already, or its run has ended.');
    return sendNothing(chat);
  }
  requireMethod(request, 'GET', 'GET, POST');
  return sendJson(chat, await approvals.get(id));
}

function summarise({
  id,
  title,
  createdAt,
  changedAt,
}: {
  readonly id: string;
  readonly title: string | null;
  readonly createdAt: number;
  readonly changedAt: number;
}): Data {
  return { id, title, createdAt, changedAt };
}

function requireMethod({ method }: Request, expected: string, allow: string): void {
  if (method !== expected) throw new HttpProblem(405, `Only ${allow} is possible here.`, { allow });
}

function readNumber(request: Request, name: string): number | undefined {
  const given = new URL(request.url).searchParams.get(name);
  if (given === null) return undefined;
  const value = Number(given);
  if (/^\d+$/.test(given) && Number.isSafeInteger(value)) return value;
  throw new HttpProblem(400, `${name} has to be a whole number.`);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HttpProblem(400, 'The address is not valid.');
  }
}

function sendJson({ headers }: ChatRequest, value: unknown): Response {
  return Response.json(value, { headers: { 'cache-control': 'no-store', ...headers } });
}

function sendNothing({ headers }: ChatRequest): Response {
  return new Response(null, { status: 204, headers });
}

/** The text in place of an error of runs, which names ids of the server. */
const PROBLEMS: Readonly<Partial<Record<ErrorCode, readonly [status: number, text: string]>>> = {
  E412: [400, 'The message cannot be sent to the model.'],
  E735: [400, 'The decision does not fit the question, or the tool refuses the edited arguments.'],
  E738: [404, 'There is no such answer.'],
  E739: [409, 'The message belongs to another chat.'],
  E743: [409, 'The chat was changed by another request. Load it again.'],
  E746: [409, 'The chat is still answering. Stop it first.'],
};

/** Returns the status for an error of runs that a client can cause; undefined for a fault of the host. */
function toHttpProblem(error: unknown): HttpProblem | undefined {
  if (!(error instanceof PromptEvaluationError)) return undefined;
  const problem = PROBLEMS[error.code];
  return problem && new HttpProblem(...problem);
}

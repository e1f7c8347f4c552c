import { McpError, type CallToolRequest, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import {
  ApprovalPendingError,
  type JsonValue,
  type RenderedPrompt,
  type RunEvent,
  VisibilityExpansionRequired,
} from 'toolwright';
import { AddFoundTools, SetVisibilityOverride } from 'toolwright/conversations';
import { messageOf } from 'toolwright/internal/light';
import {
  createRun,
  getApplicationParts,
  describeFound,
  describeOpened,
  describeUnfound,
  describeUnopened,
} from 'toolwright/internal';
import { createRunMetadata } from './createRunMetadata.js';
import { hideFailures } from './hideFailures.js';
import { toCallResult, createFailedResult } from './toCallResult.js';
import type { McpHandlers } from './McpHandlers.js';
import { McpServerError } from './McpServerError.js';
import type { AskingScope, InputRequired, McpRequest, StartTask, TaskStarted } from './McpRequest.js';
import type { ServedPrompt } from './ServedPrompt.js';
import { createNoTasksError } from './tasks/serveTasks.js';
import { toMcpTools } from './toMcpTools.js';
import { takePage } from './takePage.js';
import { ProgressEmitter } from './ProgressEmitter.js';
import { warnOfEffects } from './warnOfEffects.js';

const DEFAULT_PAGE = 100;

/** Creates the handlers of `tools/list` and `tools/call`. */
export function handleTools(served: ServedPrompt): Pick<McpHandlers, 'tools/list' | 'tools/call'> {
  const { logger, options } = served.services;
  const { pageSize = DEFAULT_PAGE } = options;
  return {
    'tools/list': hideFailures(logger, async (params) => {
      const rendered = await served.renderPrompt();
      served.show(rendered);
      const tools = toMcpTools(await served.listTools(rendered));
      const { items, ...rest } = takePage(tools, ({ name }) => name, params?.cursor, pageSize);
      return { tools: items, ...rest };
    }),
    'tools/call': hideFailures(logger, (params, request) => served.track(answerCall(served, params, request))),
  };
}

/** Answers a call with its result, with questions to the client, or with a task that runs it. */
async function answerCall(
  served: ServedPrompt,
  params: CallToolRequest['params'],
  request: McpRequest,
): Promise<CallToolResult | InputRequired | TaskStarted> {
  const { name } = params;
  const { tasks } = served.services;
  const rule = tasks?.findRule(name);
  const start = rule === undefined ? undefined : prepareStart(served, name, request);
  if (rule?.support === 'required' && start === undefined) throw createNoTasksError();
  const isStarted = rule?.begins === 'call' && (await served.renderPrompt(request.client)).tool(name) !== undefined;
  if (start !== undefined && isStarted) return start({});
  return request.runAsking(
    { method: 'tools/call', name, arguments: request.arguments },
    (asking) => callTool(served, params, request, asking),
    rule?.begins === 'handler' ? start : undefined,
  );
}

/** Returns a function that starts a task with a call; undefined if the client cannot follow tasks. */
function prepareStart({ services }: ServedPrompt, tool: string, request: McpRequest): StartTask | undefined {
  const { taskClient: client, arguments: given } = request;
  if (client === undefined) return undefined;
  return async (answers) => {
    const call = { client, tool, arguments: given as Readonly<Record<string, JsonValue>>, answers };
    const task = await services.tasks?.create(call);
    if (task !== undefined) return { resultType: 'task', ...task };
    return createFailedResult(
      `The tool ${tool} was not called: too many tasks of this client are kept. Go on without it, and try again when some of them have expired.`,
    );
  };
}

/** Runs one call with the dispatcher of the application (docs/contract.md, 6.1). */
async function callTool(
  served: ServedPrompt,
  { name, _meta }: CallToolRequest['params'],
  request: McpRequest,
  asking: AskingScope,
): Promise<CallToolResult> {
  const { signal, runId } = asking;
  const { services, session, peer } = served;
  const { app, options, logger } = services;
  const rendered = await served.renderForCall(name, request.client);
  const call = { id: String(request.id), name, arguments: request.arguments };
  const progress = new ProgressEmitter(_meta?.progressToken, call.id, (notification) => {
    void request.notify(notification).catch((error: unknown) => {
      logger.debug(`MCP: progress was not sent: ${messageOf(error)}`);
    });
  });
  const runMetadata = {
    ...createRunMetadata(options, { peer, scopes: request.client.authInfo?.scopes.join(' ') }),
    ...(peer.sessionId === undefined ? {} : { mcpSession: peer.sessionId }),
    mcpRequest: call.id,
  };
  try {
    const onEvent = (event: RunEvent): void => {
      progress.emit(event);
      if (isRepeatedEffect(event, call.id)) warnOfEffects(served.services, name);
    };
    const { dispatcher, lifetime, services: parts } = getApplicationParts(app);
    const run = createRun(rendered, { session, signal, runMetadata, onEvent }, () => runId ?? parts.ids());
    const outcome = await lifetime.run(() => dispatcher.dispatch(call, run));
    progress.end();
    if (outcome.kind === 'succeeded') await served.notifyChanges(request.notify, rendered);
    return toCallResult(rendered, call, outcome, getApplicationParts(app).services);
  } catch (error) {
    progress.end();
    if (error instanceof VisibilityExpansionRequired) return openSections(served, rendered, error, request);
    if (error instanceof ApprovalPendingError) return answerPending(served, error);
    if (signal.aborted || error instanceof McpError) throw error;
    const { redaction } = getApplicationParts(app).services;
    const kept = redaction.ofCall(rendered.tool(name), call.arguments)?.wrapLogger(logger) ?? logger;
    kept.error(`MCP: ${name} could not be run: ${messageOf(error)}`, { error });
    return createFailedResult(`The tool ${name} cannot be run now. The call is not at fault; go on without it.`);
  }
}

/** Checks for a call that ended to ask its client, after its handler may have had effects that no transaction rolls back. */
function isRepeatedEffect(event: RunEvent, callId: string): boolean {
  if (!('toolMessage' in event) || event.callId !== callId || event.effect !== 'unknown') return false;
  return event.error instanceof McpServerError && event.error.code === 'E697';
}

/** Opens sections and adds found tools for this session, as the loop does (docs/contract.md, 12). */
async function openSections(
  served: ServedPrompt,
  before: RenderedPrompt,
  { requestedOverrides, requestedTools: found, note }: VisibilityExpansionRequired,
  request: McpRequest,
): Promise<CallToolResult> {
  const { session, services } = served;
  const paths = Object.keys(requestedOverrides);
  try {
    // The sections are rendered first, because a section that cannot be shown would break every later request.
    await before.anew(session, paths);
    for (const path of paths) session.dispatch(new SetVisibilityOverride(path, 'full'));
    if (found !== undefined) session.dispatch(new AddFoundTools(found));
    const rendered = await before.anew(session);
    const tools = rendered.tools.map(({ name }) => name).filter((name) => before.tool(name) === undefined);
    const texts = paths.map((path) => rendered.textOf(path));
    await served.notifyChanges(request.notify, before);
    const opened = paths.length === 0 ? [] : [describeOpened(paths, texts, [])];
    if (found === undefined) return { content: [{ type: 'text', text: describeOpened(paths, texts, tools) }] };
    const text = describeFound(tools, [], opened, note);
    // A search declares its result, and clients refuse an answer without it.
    return { content: [{ type: 'text', text }], structuredContent: { content: text } };
  } catch (error) {
    services.logger.error(`MCP: sections could not be opened: ${messageOf(error)}`, { error, paths });
    return createFailedResult(found === undefined ? describeUnopened(paths) : describeUnfound());
  }
}

/** Answers a call that needs an approval. Approvals take longer than requests, so the host stores the call. */
async function answerPending(
  { services, peer }: ServedPrompt,
  { pending }: ApprovalPendingError,
): Promise<CallToolResult> {
  const { onPending } = services.options;
  if (onPending === undefined)
    return createFailedResult(
      `The call of ${pending.tool} was denied: it needs an approval that cannot be waited for here. Nothing was done. Go on without it, and say that it remains to be approved.`,
    );
  await onPending(pending, peer);
  return createFailedResult(
    `The call of ${pending.tool} waits for an approval. Nothing was done yet; it will be done once it is approved. Do not repeat it. Go on without it, and say that it waits.`,
  );
}

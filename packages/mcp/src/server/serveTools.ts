import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  McpError,
  type CallToolRequest,
  type CallToolResult,
  type ListToolsRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { ApprovalPendingError, type RenderedPrompt, VisibilityExpansionRequired } from 'toolwright';
import { AddFoundTools, SetVisibilityOverride } from 'toolwright/conversations';
import { messageOf } from 'toolwright/internal/light';
import {
  getApplicationParts,
  describeFound,
  describeOpened,
  describeUnfound,
  describeUnopened,
} from 'toolwright/internal';
import { hideFailures } from './hideFailures.js';
import { toCallResult, createFailedResult } from './toCallResult.js';
import type { McpConnection, RequestExtra } from './McpConnection.js';
import { toMcpTools } from './toMcpTools.js';
import { takePage } from './takePage.js';
import { ProgressEmitter } from './ProgressEmitter.js';

const DEFAULT_PAGE = 100;

/** Answers `tools/list` and `tools/call`. */
export function serveTools(connection: McpConnection): void {
  const { protocol, services } = connection;
  const { logger, options } = services;
  const { pageSize = DEFAULT_PAGE } = options;
  protocol.setRequestHandler(
    ListToolsRequestSchema,
    hideFailures(logger, async ({ params }: ListToolsRequest) => {
      const rendered = await connection.renderPrompt();
      connection.show(rendered);
      const { items, ...rest } = takePage(toMcpTools(rendered), ({ name }) => name, params?.cursor, pageSize);
      return { tools: items, ...rest };
    }),
  );
  protocol.setRequestHandler(
    CallToolRequestSchema,
    hideFailures(logger, ({ params }: CallToolRequest, extra: RequestExtra) =>
      connection.track(callTool(connection, params, extra)),
    ),
  );
}

/** Runs one call with the dispatcher of the application (docs/contract.md, 6.1). */
async function callTool(
  connection: McpConnection,
  { name, _meta }: CallToolRequest['params'],
  extra: RequestExtra,
): Promise<CallToolResult> {
  const { services, session, peer } = connection;
  const { app, options, logger } = services;
  const rendered = await connection.renderPrompt(connection.clientFor(extra));
  const args = connection.ledger.argumentsOf(extra.requestId) ?? {};
  const call = { id: String(extra.requestId), name, arguments: args };
  const signal = connection.ledger.signalOf(extra.requestId);
  const progress = new ProgressEmitter(_meta?.progressToken, call.id, (notification) => {
    void extra.sendNotification(notification).catch((error: unknown) => {
      logger.debug(`MCP: progress was not sent: ${messageOf(error)}`);
    });
  });
  const runMetadata = {
    ...(peer.principal === undefined ? {} : { principal: peer.principal }),
    ...options.runMetadata?.(peer),
    ...(peer.sessionId === undefined ? {} : { mcpSession: peer.sessionId }),
    mcpRequest: call.id,
  };
  try {
    const onEvent = progress.emit.bind(progress);
    const outcome = await app.callTool(rendered, call, { session, signal, runMetadata, onEvent });
    progress.end();
    if (outcome.kind === 'succeeded') await connection.notifyChanges(extra.sendNotification);
    return toCallResult(rendered, call, outcome, getApplicationParts(app).services);
  } catch (error) {
    progress.end();
    if (error instanceof VisibilityExpansionRequired) return openSections(connection, rendered, error, extra);
    if (error instanceof ApprovalPendingError) return answerPending(connection, error);
    if (signal.aborted || error instanceof McpError) throw error;
    const { redaction } = getApplicationParts(app).services;
    const kept = redaction.ofCall(rendered.tool(name), call.arguments)?.wrapLogger(logger) ?? logger;
    kept.error(`MCP: ${name} could not be run: ${messageOf(error)}`, { error });
    return createFailedResult(`The tool ${name} cannot be run now. The call is not at fault; go on without it.`);
  }
}

/** Opens sections and adds found tools for this session, as the loop does (docs/contract.md, 12). */
async function openSections(
  connection: McpConnection,
  before: RenderedPrompt,
  request: VisibilityExpansionRequired,
  extra: RequestExtra,
): Promise<CallToolResult> {
  const { session, services } = connection;
  const { requestedTools: found, note } = request;
  const paths = Object.keys(request.requestedOverrides);
  try {
    // The sections are rendered first, because a section that cannot be shown would break every later request.
    await before.anew(session, paths);
    for (const path of paths) session.dispatch(new SetVisibilityOverride(path, 'full'));
    if (found !== undefined) session.dispatch(new AddFoundTools(found));
    const rendered = await before.anew(session);
    const tools = rendered.tools.map(({ name }) => name).filter((name) => before.tool(name) === undefined);
    const texts = paths.map((path) => rendered.textOf(path));
    await connection.notifyChanges(extra.sendNotification);
    const opened = paths.length === 0 ? [] : [describeOpened(paths, texts, [])];
    const text = found === undefined ? describeOpened(paths, texts, tools) : describeFound(tools, [], opened, note);
    return { content: [{ type: 'text', text }] };
  } catch (error) {
    services.logger.error(`MCP: sections could not be opened: ${messageOf(error)}`, { error, paths });
    return createFailedResult(found === undefined ? describeUnopened(paths) : describeUnfound());
  }
}

/** Answers a call that needs an approval. Approvals take longer than requests, so the host stores the call. */
async function answerPending(
  { services, peer }: McpConnection,
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

import type {
  CallToolRequest,
  CallToolResult,
  CompleteRequest,
  CompleteResult,
  GetPromptRequest,
  GetPromptResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  PaginatedRequest,
  ReadResourceRequest,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { InputRequired, McpRequest, TaskStarted } from './McpRequest.js';

type Handler<P, R> = (params: P, request: McpRequest) => Promise<R>;
type ListParams = PaginatedRequest['params'];

/** The handlers of the requests that all revisions of the protocol have, by method. Params were checked. */
export interface McpHandlers {
  readonly 'tools/list': Handler<ListParams, ListToolsResult>;
  readonly 'tools/call': Handler<CallToolRequest['params'], CallToolResult | InputRequired | TaskStarted>;
  readonly 'resources/list': Handler<ListParams, ListResourcesResult>;
  readonly 'resources/templates/list': Handler<ListParams, ListResourceTemplatesResult>;
  readonly 'resources/read': Handler<ReadResourceRequest['params'], ReadResourceResult | InputRequired>;
  readonly 'prompts/list': Handler<ListParams, ListPromptsResult>;
  readonly 'prompts/get': Handler<GetPromptRequest['params'], GetPromptResult | InputRequired>;
  readonly 'completion/complete': Handler<CompleteRequest['params'], CompleteResult>;
}

import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type JSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';

/** The JSON-RPC error of a refused request. */
export interface RequestFault {
  readonly code: number;
  readonly message: string;
}

/** A problem in one part of a request. */
interface ShapeIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The used part of a schema. */
interface RequestShape {
  safeParse(request: unknown): {
    readonly success: boolean;
    readonly error?: { readonly issues: readonly ShapeIssue[] };
  };
}

const SHAPES = new Map<string, RequestShape>([
  ['initialize', InitializeRequestSchema],
  ['ping', PingRequestSchema],
  ['tools/list', ListToolsRequestSchema],
  ['tools/call', CallToolRequestSchema],
  ['resources/list', ListResourcesRequestSchema],
  ['resources/templates/list', ListResourceTemplatesRequestSchema],
  ['resources/read', ReadResourceRequestSchema],
  ['resources/subscribe', SubscribeRequestSchema],
  ['resources/unsubscribe', UnsubscribeRequestSchema],
  ['prompts/list', ListPromptsRequestSchema],
  ['prompts/get', GetPromptRequestSchema],
  ['completion/complete', CompleteRequestSchema],
  ['logging/setLevel', SetLevelRequestSchema],
]);

/** Returns the fault in the params of a request; undefined for a valid request and for unknown methods. */
export function findRequestFault(request: JSONRPCRequest): RequestFault | undefined {
  const parsed = SHAPES.get(request.method)?.safeParse(request);
  if (parsed === undefined || parsed.success) return undefined;
  const issues = (parsed.error?.issues ?? [])
    .slice(0, 3)
    .map(({ path, message }) => `${path.map(String).join('.').slice(0, 100)}: ${message.slice(0, 200)}`);
  return { code: -32602, message: `Invalid params of ${request.method}: ${issues.join('; ')}` };
}

import type { Json } from '../format';

// The format of the cases about programs.

/** The behaviour of a tool of a case. */
export interface Behaviour extends Json {
  readonly kind: string;
}

export interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  readonly params: readonly {
    readonly name: string;
    readonly type: string;
    readonly description?: string;
    readonly default?: unknown;
  }[];
  /** JSON Schema of the result. */
  readonly returns: Json | null;
  readonly behaviour: Behaviour;
  readonly requires_approval?: boolean;
}

/** The server of a case of the area mcp. */
export interface McpSpec {
  readonly tools?: readonly {
    readonly name: string;
    readonly inputSchema: Json | null;
    readonly outputSchema?: { readonly type: 'object' };
    readonly result: Json;
  }[];
  readonly resources?: readonly { readonly name: string; readonly uri: string; readonly result: string }[];
  /** Reading each returns `body of ` and its URI. */
  readonly templates?: readonly { readonly name: string; readonly uriTemplate: string }[];
  /** Which tools the toolkit has; all when left out. */
  readonly tool_names?: readonly string[];
}

/** The compared fields of a program; `events` and `probe` only if a case uses them. */
export interface ExpectedResult {
  readonly success?: boolean;
  readonly output?: string;
  readonly return_value?: unknown;
  readonly tool_calls?: readonly Json[];
  readonly error_kind?: string | null;
  readonly status?: string;
  readonly attempts?: number;
  readonly then?: ExpectedResult;
  readonly events?: readonly (readonly [string, unknown])[];
  readonly probe?: { readonly host_object_after: unknown };
  /** Of a bridged server: what it was asked, and the schemas of results by the names that programs use. */
  readonly sent_to_server?: readonly Json[];
  readonly return_schemas?: Json;
  /** Of operations on toolkits and texts. */
  readonly value?: unknown;
  readonly raises?: boolean;
}

export interface ProgramCase {
  readonly id: string;
  readonly area: string;
  readonly what: string;
  readonly tools: readonly ToolSpec[];
  readonly code_js: string | null;
  readonly then_js?: string;
  readonly retry_js?: readonly string[];
  readonly op?: string;
  readonly mcp?: McpSpec;
  readonly via?: string;
  readonly text?: string;
  readonly ts_text?: string;
  readonly ts_expected?: string | null;
  readonly options?: {
    readonly timeout?: number;
    readonly validate?: boolean;
    readonly max_retries?: number;
    readonly approved_calls?: readonly string[];
    readonly calls_limit?: number;
  };
  readonly toolkit?: { readonly assist_tool_chaining?: boolean };
  readonly max_ms?: number;
  readonly expected: ExpectedResult;
  readonly expected_js?: ExpectedResult;
  readonly ts_expected_result?: ExpectedResult;
  readonly ts_why?: string;
}

/** A program that attacks the sandbox, and what must hold afterwards. */
export interface Attack {
  readonly id: string;
  readonly what: string;
  readonly tools: readonly ToolSpec[];
  readonly code_js: string;
  readonly properties: readonly string[];
  readonly limit_ms: number;
  readonly expect_return?: unknown;
  /** Kinds of errors, with `|` between them. */
  readonly expect_error?: string;
}

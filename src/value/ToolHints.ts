/** Hints about the effects of a tool, as in MCP's annotations. Nothing is assumed for hints that are left out. */
export interface ToolHints {
  /** Changes nothing: may run concurrently with other read-only calls, and its writes are refused. */
  readonly readOnly?: boolean | undefined;
  readonly destructive?: boolean | undefined;
  /** Calling it twice with the same arguments has the same effect as calling it once. */
  readonly idempotent?: boolean | undefined;
  /** Touches things outside this system. */
  readonly openWorld?: boolean | undefined;
}

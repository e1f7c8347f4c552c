/** A tool call as the model made it. */
export interface ToolCall {
  /** The provider's id of the call, unique within one turn. */
  readonly id: string;
  /** The name of the tool as advertised. */
  readonly name: string;
  /** JSON text as providers send it, or an object that was parsed already; `null` and `''` stand for `{}`. */
  readonly arguments: string | Readonly<Record<string, unknown>> | null;
}

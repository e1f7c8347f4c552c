/** A tool call as the model made it. */
export interface ToolCall {
  /** The provider's id of the call, unique within one turn. */
  readonly id: string;
  /** The name of the tool as advertised. */
  readonly name: string;
  /** JSON text as sent by the provider, or an already parsed object; `null` and `''` mean `{}`. */
  readonly arguments: string | Readonly<Record<string, unknown>> | null;
  /** The tool that the model named on the wire, if it reached this one through another, such as a bridge to closed tools. */
  readonly wireName?: string | undefined;
}

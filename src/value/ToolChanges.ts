/** Tools that the model may call from a message on, or no longer, by name. */
export interface ToolChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

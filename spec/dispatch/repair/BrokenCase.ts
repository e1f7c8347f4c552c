/** The kinds of repair, and `beyond` for what is left to the model, since more than a repair would be needed. */
export type BrokenKind =
  | 'code-fence'
  | 'trailing-comma'
  | 'double-encoding'
  | 'single-value'
  | 'number-text'
  | 'boolean-text'
  | 'combined'
  | 'beyond';

/** The tool that is called; its arguments as the model sends them, as text or as the provider's object; what they mean. */
export type BrokenCase = readonly [
  tool: 'order' | 'basket' | 'search' | 'remote',
  given: string | object,
  meant: object,
];

/** Arguments of which another reading is as good as the obvious one: why, and the call, which must be refused. */
export type AmbiguousCase = readonly [why: string, tool: BrokenCase[0], given: string | object];

/** Something that is wrong with an application, from any check. */
export interface Problem {
  /** A code of docs/errors.md, the name of a rule, or `contract`. */
  readonly rule: string;
  readonly level: 'error' | 'note';
  readonly message: string;
  /** What to do; undefined where the message says it. */
  readonly remedy?: string | undefined;
  /** `Orders.getOrder`, a section, or a tool. */
  readonly place: string;
  /** The file, relative to the folder, with `/`; undefined where it is not known. */
  readonly file?: string | undefined;
  /** From 1 on. */
  readonly line?: number | undefined;
}

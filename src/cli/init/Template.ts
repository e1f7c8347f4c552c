/** A kind of project that `init` writes. */
export type ProjectKind = 'plain' | 'nest';

/** The files of a new project: contents by path. */
export type ProjectFiles = Readonly<Record<string, string>>;

/** What a new project is made of. */
export interface ProjectInput {
  readonly name: string;
  /** The range of toolwright in package.json. */
  readonly toolwright: string;
  /** The ranges of its peers. */
  readonly peers: Readonly<Record<string, string>>;
}

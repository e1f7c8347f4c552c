import type { TEST_RUNNERS } from '../options.js';

/** A kind of project that `init` writes, and that `add` finds. */
export type ProjectKind = 'plain' | 'nest';

/** A test runner for which tests are written. */
export type TestRunner = (typeof TEST_RUNNERS)[number];

/** The files of a project: contents by path. */
export type ProjectFiles = Readonly<Record<string, string>>;

/** What a new project is made of. */
export interface ProjectInput {
  readonly name: string;
  /** The range of toolwright in package.json. */
  readonly toolwright: string;
  /** The ranges of its peers. */
  readonly peers: Readonly<Record<string, string>>;
}

/** An agent that `add` writes, by names of files in one folder; imports of each other end in `.js`. */
export interface AgentFiles {
  readonly sources: ProjectFiles;
  readonly test: string;
}

/** A skill: a SKILL.md with front matter, and the files beside it. */
export interface Skill {
  /** Lowercase letters, digits and single hyphens; also the name of its folder. */
  readonly name: string;
  /** When a model should use it. */
  readonly description: string;
  /** The front matter as it is, with name and description. */
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** The text of SKILL.md behind the front matter. */
  readonly body: string;
  /** The bytes of all files, SKILL.md included, by path with slashes. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** A skill that clients can load, such as the result of `readSkill` of `@toolwright/files/skills`. */
export interface McpSkill {
  /** Lowercase letters, digits and single hyphens, as in the front matter of its SKILL.md. */
  readonly name: string;
  /** The bytes of all files by path with slashes, `SKILL.md` included. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

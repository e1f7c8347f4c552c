/** The resolution of a file's times is milliseconds to two seconds, depending on the disk: two changes within one step leave the same times, and possibly the same size. So its times are reliable only once they are older than that. */
export const FILE_TIME_STEP_MS = 2_000;
/** Attempts while the tree is changed concurrently. */
export const MAX_SNAPSHOT_ATTEMPTS = 5;
/** Files of a skill, as MCP allows (docs/skills.md). */
export const MAX_SKILL_FILES = 512;
/** All files of a skill together, as MCP allows. */
export const MAX_SKILL_BYTES = 16 * 1024 * 1024;
/** Folders within a skill: they are read recursively, and a file system can hold any number of empty ones. */
export const MAX_SKILL_FOLDERS = 512;
/** The front matter of a SKILL.md. */
export const MAX_FRONT_MATTER_CHARS = 64 * 1024;
/** The name of a skill, as the format of skills allows. */
export const MAX_SKILL_NAME_CHARS = 64;
/** The description of a skill, as the format of skills allows. */
export const MAX_SKILL_DESCRIPTION_CHARS = 1_024;
/** A part of a file that a model reads in one call. */
export const MAX_SKILL_PART_CHARS = 20_000;
/** Paths that the text of a skill lists. A longer list costs more tokens than it is worth; the skill's own text names its files. */
export const MAX_LISTED_SKILL_FILES = 50;

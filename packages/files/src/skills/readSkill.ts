import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { messageOf, quote } from 'toolwright/internal/light';
import { MAX_SKILL_BYTES, MAX_SKILL_FILES, MAX_SKILL_FOLDERS } from '../limits.js';
import { parseSkill } from './parseSkill.js';
import type { Skill } from './Skill.js';
import { SkillError } from './SkillError.js';

/** Windows has neither constant, and `|` takes undefined for 0. A link, also one that replaces a file after its folder was listed, is an error and not followed. */
const READ_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads a folder with a SKILL.md and all files below it into memory. Hidden files and folders are left out. Nothing is run.
 *
 * @throws SkillError E928 for a folder that cannot be read, links, too many or too large files, and an invalid SKILL.md
 */
export function readSkill(folder: string): Skill {
  const root = resolve(folder);
  const files = new FolderReader(root).read();
  const refuse = (problem: string): SkillError => new SkillError(problem, { code: 'E928', place: folder });
  const manifest = files.get('SKILL.md');
  if (manifest === undefined) throw refuse('there is no SKILL.md');
  const skill = parseSkill(manifest, folder);
  if (skill.name !== basename(root))
    throw refuse(
      `the name is ${quote(skill.name, 100)}, expected the name of its folder, ${quote(basename(root), 100)}`,
    );
  return Object.freeze({ ...skill, files });
}

class FolderReader {
  readonly #root: string;
  readonly #files = new Map<string, Uint8Array>();
  #folders = 0;
  #bytes = 0;

  constructor(root: string) {
    this.#root = root;
  }

  read(): ReadonlyMap<string, Uint8Array> {
    this.#readFolder('');
    return this.#files;
  }

  #readFolder(path: string): void {
    this.#folders++;
    if (this.#folders > MAX_SKILL_FOLDERS)
      throw this.#refuse(path, `a skill has at most ${String(MAX_SKILL_FOLDERS)} folders`);
    const entries = this.#attempt(path, () => readdirSync(join(this.#root, path), { withFileTypes: true }));
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.')) continue;
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) this.#readFolder(inner);
      else if (entry.isFile()) this.#files.set(inner, this.#readFile(inner));
      else throw this.#refuse(inner, 'links, devices and pipes are not read; copy the file');
    }
  }

  #readFile(path: string): Uint8Array {
    if (this.#files.size >= MAX_SKILL_FILES)
      throw this.#refuse(path, `a skill has at most ${String(MAX_SKILL_FILES)} files`);
    const file = this.#attempt(path, () => openSync(join(this.#root, path), READ_FILE));
    try {
      const status = fstatSync(file);
      if (!status.isFile()) throw this.#refuse(path, 'links, devices and pipes are not read; copy the file');
      this.#count(path, status.size);
      const bytes = this.#attempt(path, () => readFileSync(file));
      // The file may have grown since.
      this.#count(path, bytes.length - status.size);
      return bytes;
    } finally {
      closeSync(file);
    }
  }

  #count(path: string, bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_SKILL_BYTES)
      throw this.#refuse(path, `the files of a skill have at most ${String(MAX_SKILL_BYTES)} bytes together`);
  }

  #attempt<T>(path: string, action: () => T): T {
    try {
      return action();
    } catch (cause) {
      throw this.#refuse(path, messageOf(cause), cause);
    }
  }

  #refuse(path: string, problem: string, cause?: unknown): SkillError {
    return new SkillError(problem, { code: 'E928', place: join(this.#root, path), cause });
  }
}

import { randomId } from '../common/builtins.js';
import { MAX_JSON_BYTES } from '../common/limits.js';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../common/text.js';
import { PromptOverridesError } from '../error/PromptOverridesError.js';
import type { OverridesStore, PromptAddress, PromptOverrides } from '../interface/OverridesStore.js';
import { findTextIssue } from '../schema/limits.js';
import { checkTag, describePlace } from './overridesTag.js';

const VERSION = 1;

/**
 * Keeps overrides in JSON files, one for each prompt and tag: `<root>/<ns>/<key>/<tag>.json`. Namespace and key are one folder
 * each; characters that a file name cannot have are encoded, such as a slash as `%2F`. A write replaces the whole file, so a
 * reader sees the old or the new one, never a part (docs/contract.md, 13).
 *
 * @example
 * const app = await createApplication({ prompts: [SupportDesk], overrides: new FileOverridesStore('prompts') });
 */
export class FileOverridesStore implements OverridesStore {
  readonly root: string;

  /** @param root a folder; the first write creates it if it does not exist */
  constructor(root: string) {
    this.root = root;
  }

  /** @throws PromptOverridesError E522, E525 */
  async read(prompt: PromptAddress, tag: string): Promise<PromptOverrides | undefined> {
    const path = this.pathOf(prompt, tag);
    const text = await wrapErrors(prompt, tag, `${path} could not be read`, () =>
      readBounded(path).catch(ignoreMissing),
    );
    return text === undefined ? undefined : parseFileContent(text, { prompt, tag, path });
  }

  /** @throws PromptOverridesError E522, E525 */
  async write(prompt: PromptAddress, tag: string, overrides: PromptOverrides): Promise<void> {
    const path = this.pathOf(prompt, tag);
    const { ns, key } = prompt;
    const text = `${JSON.stringify({ version: VERSION, ns, key, tag, ...overrides }, undefined, 2)}\n`;
    await wrapErrors(prompt, tag, `${path} could not be written`, () => replaceFile(path, text));
  }

  /** @throws PromptOverridesError E522, E525 */
  async delete(prompt: PromptAddress, tag: string): Promise<void> {
    const path = this.pathOf(prompt, tag);
    await wrapErrors(prompt, tag, `${path} could not be deleted`, () => rm(path).catch(ignoreMissing));
  }

  /**
   * Returns the path of the file with the overrides of a prompt under a tag.
   *
   * @throws PromptOverridesError E522
   */
  pathOf(prompt: PromptAddress, tag: string): string {
    checkTag(prompt, tag);
    return join(this.root, encodeElement(prompt.ns), encodeElement(prompt.key), `${tag}.json`);
  }
}

/** Encodes a name as one path element that is unique to the name and cannot lead to another folder. */
function encodeElement(name: string): string {
  return name.replace(/^\.|[^\w.-]|\.$/gu, (letter) =>
    [...Buffer.from(letter)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // In the same folder, since a rename does not cross file systems. No tag has a file name with this ending.
  const draft = `${path}.${randomId()}.tmp`;
  try {
    const file = await open(draft, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true });
    throw cause;
  }
}

interface Origin {
  readonly prompt: PromptAddress;
  readonly tag: string;
  readonly path: string;
}

/** Parses the overrides in a file; `PromptTexts` validates them. */
function parseFileContent(text: string, { prompt, tag, path }: Origin): PromptOverrides {
  const fault = (problem: string, cause?: unknown): PromptOverridesError =>
    new PromptOverridesError(`${path} ${problem}`, { code: 'E525', place: describePlace(prompt, tag), cause });
  const tooMuch = findTextIssue(text)?.message;
  if (tooMuch !== undefined) throw fault(`is too large: ${tooMuch}`);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw fault(`holds no JSON: ${messageOf(cause)}`, cause);
  }
  const { version, ns, key, tag: ownTag, ...overrides } = Object(document) as Readonly<Record<string, unknown>>;
  if (version !== VERSION) {
    throw fault(
      `is of version ${version === undefined ? 'none' : JSON.stringify(version)}; ${String(VERSION)} is expected`,
    );
  }
  // On file systems that ignore case, or after copying files, the file may hold the texts of another prompt.
  if (ns !== prompt.ns || key !== prompt.key || ownTag !== tag) {
    throw fault(`holds the overrides of ${describePlace({ ns: String(ns), key: String(key) }, String(ownTag))}`);
  }
  return overrides;
}

/** Reads a file, but of one that is too large only so much that it is still recognised as too large. */
async function readBounded(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(MAX_JSON_BYTES + 1) });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function ignoreMissing(cause: unknown): undefined {
  if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  throw cause;
}

async function wrapErrors<T>(prompt: PromptAddress, tag: string, problem: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new PromptOverridesError(`${problem}: ${messageOf(cause)}`, {
      code: 'E525',
      place: describePlace(prompt, tag),
      cause,
    });
  }
}

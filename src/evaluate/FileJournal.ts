import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { messageOf } from '../common/text.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import type { Journal, JournalEntry } from '../interface/Journal.js';

/**
 * A journal in a file, one line of JSON an entry, readable for its owner only. It holds arguments and results as they are,
 * secrets included, because a continued run needs them.
 *
 * @example
 * await app.evaluate(prompt, { adapter, session, journal: new FileJournal('run-4711.jsonl'), resume: true });
 */
export class FileJournal implements Journal {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * A last line that was cut off by the end of its process is left out, and removed.
   *
   * @throws PromptEvaluationError E709 when the file is damaged before its end, or cannot be read
   */
  entries(): readonly JournalEntry[] {
    if (!existsSync(this.path)) return [];
    const text = this.#guarded('read', () => readFileSync(this.path, 'utf8'));
    const end = text.lastIndexOf('\n') + 1;
    if (end < text.length)
      this.#guarded('shortened', () => truncateSync(this.path, Buffer.byteLength(text.slice(0, end))));
    return text
      .slice(0, end)
      .split('\n')
      .slice(0, -1)
      .map((line, index) => this.#parsed(line, index));
  }

  /** @throws PromptEvaluationError E709 when it cannot be written */
  append(entry: JournalEntry): void {
    this.#guarded('written', () => {
      const file = openSync(this.path, 'a', 0o600);
      try {
        // One write, so that a reader finds a whole line or a cut one at the end.
        writeSync(file, `${JSON.stringify(entry)}\n`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    });
  }

  #parsed(line: string, index: number): JournalEntry {
    try {
      return JSON.parse(line) as JournalEntry;
    } catch (cause) {
      throw fault(`The journal ${this.path} is damaged in line ${String(index + 1)}: ${messageOf(cause)}`, cause);
    }
  }

  #guarded<T>(what: string, work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw fault(`The journal ${this.path} could not be ${what}: ${messageOf(cause)}`, cause);
    }
  }
}

function fault(problem: string, cause: unknown): PromptEvaluationError {
  return new PromptEvaluationError(problem, { phase: 'tool', code: 'E709', cause });
}

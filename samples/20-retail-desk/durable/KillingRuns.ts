import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEntry, LogPosition, QuestionReply } from 'toolwright/conversations';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { die, type KillPoint } from './points.js';

/** About as long as a write takes: a process that dies "during" a write has begun it, and may have finished it. */
const WRITE_MS = 3;

/** The log of a task, in a process that is killed when it reaches a point. */
export class KillingRuns extends SqliteRuns {
  /** Undefined for a process that is not to be killed. */
  point: KillPoint | undefined;

  override async append(position: LogPosition, entries: readonly RunEntry[]): Promise<void> {
    const write = (): Promise<void> => super.append(position, entries);
    return entries.some(({ kind }) => kind === this.point?.what) ? this.#dieAround(write) : write();
  }

  override async reply(conversation: string, question: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    const write = (): Promise<'taken' | 'late'> => super.reply(conversation, question, reply);
    return this.point?.what === 'reply' ? this.#dieAround(write) : write();
  }

  async #dieAround(write: () => Promise<unknown>): Promise<never> {
    if (this.point?.when === 'before') die();
    const written = write();
    // Meanwhile, the thread of the store continues the write.
    await (this.point?.when === 'during' ? sleep(Math.random() * WRITE_MS) : written);
    die();
  }
}

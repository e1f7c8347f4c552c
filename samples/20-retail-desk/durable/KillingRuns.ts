import { appendFileSync } from 'node:fs';
import { FileRuns, type LogEntry, type LogPosition, type QuestionReply } from 'toolwright/conversations';
import { die, type KillPoint } from './points.js';

/** The log of a task, in a process that is killed when it comes to a point. */
export class KillingRuns extends FileRuns {
  /** Undefined for a process that is not to be killed. */
  point: KillPoint | undefined;

  override async append(position: LogPosition, entries: readonly LogEntry[]): Promise<void> {
    const { conversation } = position;
    const isPoint = entries.some(({ kind }) => kind === this.point?.what);
    if (isPoint) this.#before(conversation);
    await super.append(position, entries);
    if (isPoint) die();
  }

  override async reply(conversation: string, call: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    const isPoint = this.point?.what === 'reply';
    if (isPoint) this.#before(conversation);
    const taken = await super.reply(conversation, call, reply);
    if (isPoint) die();
    return taken;
  }

  #before(conversation: string): void {
    if (this.point?.when === 'after') return;
    // A line that was begun and not finished, as far as the disk got.
    if (this.point?.when === 'torn') appendFileSync(this.pathOf(conversation), '{"sum":"5f1c');
    die();
  }
}

import { causesOf, isConflict, isRefused } from '../common/sqlState.js';
import { messageOf } from '../common/text.js';
import { CommitRefusal } from '../error/toolErrors.js';
import { ResourceError } from '../error/infrastructureErrors.js';

/**
 * The callback that a transaction of the host runs. The transaction commits when its promise resolves, and rolls back
 * when it rejects.
 */
export type HeldWork<C> = (client: C) => Promise<void>;

/** Rejects the callback of a call that was not kept. The host's transaction then rejects with the same error. */
class RolledBack extends Error {
  constructor() {
    super('The tool call was rolled back.');
    this.name = 'CallRolledBack';
  }
}

/** How the transaction of the host ended: with or without an error. */
interface WorkEnd {
  readonly error?: unknown;
}

/** Holds the callback of one transaction open until it is told to end. */
export class HeldCallback<C> {
  readonly client: C;
  readonly #place: string;
  readonly #ended: Promise<WorkEnd>;
  #end: WorkEnd | undefined;
  readonly #keep: () => void;
  readonly #undo: (reason: Error) => void;

  private constructor(
    place: string,
    client: C,
    ended: Promise<WorkEnd>,
    settle: { readonly keep: () => void; readonly undo: (reason: Error) => void },
  ) {
    this.client = client;
    this.#place = place;
    this.#keep = settle.keep;
    this.#undo = settle.undo;
    this.#ended = ended.then((end) => (this.#end = end));
  }

  /**
   * Opens a transaction of the host. Resolves when the host has called back.
   *
   * @param opened runs within the callback, in its async context
   * @throws the error of `run` if it throws before it calls back, ResourceError E919 if it never does
   */
  static open<C, H>(
    place: string,
    run: (work: HeldWork<C>) => unknown,
    opened: (callback: HeldCallback<C>) => H,
  ): Promise<H> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      let end: (end: WorkEnd) => void = () => undefined;
      const ended = new Promise<WorkEnd>((settle) => (end = settle));
      const work = (client: C): Promise<void> => {
        // A callback that is never awaited must not end the process.
        const again = 'run called work twice, or after it had ended';
        if (isOver) return ignoreLateRejection(Promise.reject(new ResourceError(again, { code: 'E920', place })));
        isOver = true;
        return ignoreLateRejection(
          new Promise<void>((keep, undo) => {
            resolve(opened(new HeldCallback(place, client, ended, { keep, undo })));
          }),
        );
      };
      const running = (async () => {
        await run(work);
      })();
      running.then(
        () => {
          if (!isOver) reject(new ResourceError('run ended without having called work', { code: 'E919', place }));
          isOver = true;
          end({});
        },
        (error: unknown) => {
          isOver = true;
          resolve(running as Promise<never>);
          end({ error });
        },
      );
    });
  }

  /** @throws ResourceError E921 if the host has ended the transaction while its call was running */
  assertOpen(): void {
    if (this.#end !== undefined) throw createEndedEarlyError(this.#place, this.#end);
  }

  /** @throws CommitRefusal if nothing was kept; after any other error, that is unknown */
  async commit(): Promise<'conflicted' | undefined> {
    const early = this.#end;
    if (early !== undefined) {
      const error = createEndedEarlyError(this.#place, early);
      throw 'error' in early ? new CommitRefusal(error) : error;
    }
    this.#keep();
    const end = await this.#ended;
    if (!('error' in end)) return undefined;
    if (isConflict(end.error)) return 'conflicted';
    throw isRefused(end.error) ? new CommitRefusal(end.error) : end.error;
  }

  /** @throws an error if the host did something else, or may have */
  async rollback(): Promise<void> {
    const early = this.#end;
    if (early !== undefined) {
      if ('error' in early) return;
      throw createEndedEarlyError(this.#place, early);
    }
    const reason = new RolledBack();
    this.#undo(reason);
    const end = await this.#ended;
    if (!('error' in end)) throw createNotPassedOnError(this.#place);
    if (!causesOf(end.error).includes(reason)) throw end.error;
  }
}

function ignoreLateRejection(promise: Promise<void>): Promise<void> {
  promise.catch(() => undefined);
  return promise;
}

function createEndedEarlyError(place: string, end: WorkEnd): ResourceError {
  const how = 'error' in end ? `threw: ${messageOf(end.error)}` : 'ended, so that the transaction may be committed';
  return new ResourceError(`while its call was running, run ${how}`, { code: 'E921', place, cause: end.error });
}

function createNotPassedOnError(place: string): ResourceError {
  const problem = 'work was rejected, and run ended without an error, so that the transaction may be committed';
  return new ResourceError(problem, { code: 'E921', place });
}

import { requireId } from 'toolwright/internal';
import { EntryTexts, type EntryRow } from './EntryTexts.js';
import { type StatementOptions, PAGE_ROWS, type SqlSource } from './SqlDatabase.js';
import type { StatementName } from './sharedStatements.js';
import { escapeText, toTenantKey } from './columnTexts.js';

/** The row of a log. */
export interface LogRow {
  /** The epoch, a bigint, which some databases return as a text. */
  readonly epoch: unknown;
  readonly writer: string;
  readonly count: number;
  /** The number of messages that wait for runs of the conversation. */
  readonly waiting: number;
}

/** Reads the logs of one tenant from the database. */
export class LogRows {
  readonly texts: EntryTexts;
  readonly #source: SqlSource;
  readonly #key: string;

  constructor(source: SqlSource, tenant: string | null) {
    this.#source = source;
    this.#key = toTenantKey(tenant);
    this.texts = new EntryTexts(source.cipher, tenant);
  }

  /** Runs a statement about one conversation. @throws PromptEvaluationError E709 */
  run<Row>(
    name: StatementName,
    conversation: string,
    values: readonly unknown[],
    options?: StatementOptions,
  ): Promise<readonly Row[]> {
    return this.#source.sql.run<Row>(name, this.#prependKeys(conversation, values), options);
  }

  /** Runs a statement about one conversation in a transaction of another component. @throws the database's own error, unchanged */
  async runWithin<Row>(
    client: unknown,
    name: StatementName,
    conversation: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    return (await this.#source.sql.runWithin?.<Row>(client, name, this.#prependKeys(conversation, values))) ?? [];
  }

  /** Reads the JSON of the entries after the first ones. @throws PromptEvaluationError E709 if one is missing or damaged */
  async readTexts(conversation: string, after: number): Promise<readonly string[]> {
    const texts: string[] = [];
    for (;;) {
      const rows = await this.run<EntryRow>('entries', conversation, [after + texts.length, PAGE_ROWS]);
      for (const row of rows) texts.push(await this.texts.read(row, conversation, after + texts.length));
      if (rows.length < PAGE_ROWS) return texts;
    }
  }

  #prependKeys(conversation: string, values: readonly unknown[]): readonly unknown[] {
    requireId(this.#source.name, 'conversation', conversation);
    return [this.#key, escapeText(conversation), ...values];
  }
}

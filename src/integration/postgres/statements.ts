/** The SQL of a store whose tables are in one schema. */
export interface Statements {
  readonly open: string;
  readonly append: string;
  readonly appendMarked: string;
  readonly state: string;
  readonly locked: string;
  readonly entries: string;
  readonly whole: string;
  readonly list: string;
  readonly delete: string;
  readonly prune: string;
}

/** @param schema a plain name, which needs no quotes */
export function statementsOf(schema: string): Statements {
  const logs = `${schema}.logs`;
  const entries = `${schema}.entries`;
  const runs = `${schema}.runs`;
  const questions = `${schema}.questions`;
  // The fence: the row of the log is updated by the writer of its epoch, at its end, or not at all.
  const append = `log AS (
      UPDATE ${logs} SET count = count + cardinality($4::text[]), written = now()
      WHERE conversation = $1 AND epoch = $2 AND count = $3 RETURNING conversation
    ), added AS (
      INSERT INTO ${entries} (conversation, position, entry)
      SELECT log.conversation, $3::integer + given.place - 1, given.entry
      FROM log, unnest($4::text[]) WITH ORDINALITY AS given (entry, place)
    )`;
  return {
    open: `INSERT INTO ${logs} AS log (conversation, epoch, writer) VALUES ($1, $2, $3)
      ON CONFLICT (conversation) DO UPDATE SET epoch = log.epoch + 1, writer = excluded.writer, written = now()
      RETURNING epoch, count`,
    append: `WITH ${append} SELECT conversation FROM log`,
    // Records and questions follow the log, in the same transaction: ended runs, questions asked, and questions answered.
    appendMarked: `WITH ${append}, ended AS (
        UPDATE ${runs} AS run SET status = given.status, problem = given.problem, expires = NULL, changed = $10
        FROM log, unnest($5::text[], $6::text[], $7::text[]) AS given (id, status, problem)
        WHERE run.id = given.id AND run.conversation = log.conversation
          AND run.status IN ('queued', 'running', 'waiting', 'paused')
      ), asking AS (
        SELECT run.id, run.tenant, log.conversation FROM log JOIN ${runs} AS run USING (conversation)
        WHERE run.status IN ('running', 'waiting') ORDER BY run.place LIMIT 1
      ), parked AS (
        UPDATE ${runs} AS run SET status = 'waiting', changed = $10 FROM asking
        WHERE run.id = asking.id AND run.status = 'running' AND cardinality($8::text[]) > 0
      ), asked AS (
        INSERT INTO ${questions} (conversation, call, run, tenant, entry, asked)
        SELECT asking.conversation, given.call, asking.id, asking.tenant, given.entry, $10
        FROM asking, unnest($8::text[], $11::text[]) AS given (entry, call)
        ON CONFLICT (conversation, call) DO UPDATE SET run = excluded.run, tenant = excluded.tenant,
          entry = excluded.entry, asked = excluded.asked
      ), answered AS (
        DELETE FROM ${questions} AS question USING log
        WHERE question.conversation = log.conversation AND (question.call = ANY ($9::text[]) OR '*' = ANY ($9::text[]))
      )
      SELECT conversation FROM log`,
    state: `SELECT epoch, writer, count FROM ${logs} WHERE conversation = $1`,
    locked: `SELECT epoch, writer, count FROM ${logs} WHERE conversation = $1 FOR UPDATE`,
    entries: `SELECT entry FROM ${entries} WHERE conversation = $1 AND position >= $2 ORDER BY position`,
    whole: `SELECT epoch, entry FROM ${logs} LEFT JOIN ${entries} USING (conversation) WHERE conversation = $1
      ORDER BY position`,
    list: `SELECT conversation FROM ${logs}`,
    delete: `DELETE FROM ${logs} WHERE conversation = $1`,
    prune: `DELETE FROM ${logs} WHERE written < $1 RETURNING conversation`,
  };
}

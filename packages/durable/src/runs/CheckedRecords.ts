import type { QuestionReply } from 'toolwright/conversations';
import { requireId, requireOptions, requireValue } from 'toolwright/internal';
import type {
  NewRun,
  OpenQuestion,
  QuestionFilter,
  RecordChanges,
  RecordCondition,
  RunFilter,
  RunRecord,
  RunRecords,
  RunsOverview,
  WithinChange,
} from '../records/RunRecords.js';
import { aDate, questionFilterForms, runFilterForms, tenantForms } from './optionForms.js';

/** Wraps records and checks ids, filters and times before they reach a statement, because SQL would convert wrong values silently. */
export class CheckedRecords implements RunRecords {
  readonly #records: RunRecords;
  readonly #place: string;

  /** @param place the name of the records in messages, such as `SqliteRuns.records` */
  constructor(records: RunRecords, place: string) {
    this.#records = records;
    this.#place = place;
  }

  get followLog(): boolean | undefined {
    return this.#records.followLog;
  }

  async create(run: NewRun, within?: WithinChange): Promise<'created' | 'exists'> {
    requireIds(`${this.#place}.create`, run);
    return this.#records.create(run, within);
  }

  async get(id: string): Promise<RunRecord | undefined> {
    requireId(`${this.#place}.get`, 'run', id);
    return this.#records.get(id);
  }

  async change(
    id: string,
    when: RecordCondition,
    changes: RecordChanges,
    within?: WithinChange,
  ): Promise<RunRecord | undefined> {
    requireId(`${this.#place}.change`, 'run', id);
    return this.#records.change(id, when, changes, within);
  }

  async head(conversation: string): Promise<RunRecord | undefined> {
    requireId(`${this.#place}.head`, 'conversation', conversation);
    return this.#records.head(conversation);
  }

  async list(filter: RunFilter = {}): Promise<readonly RunRecord[]> {
    requireOptions(`${this.#place}.list`, filter, runFilterForms);
    return this.#records.list(filter);
  }

  async questions(filter: QuestionFilter = {}): Promise<readonly OpenQuestion[]> {
    requireOptions(`${this.#place}.questions`, filter, questionFilterForms);
    return this.#records.questions(filter);
  }

  async reply(
    run: RunRecord,
    question: string,
    reply: QuestionReply,
    within?: WithinChange,
  ): Promise<'taken' | 'late'> {
    const place = `${this.#place}.reply`;
    requireIds(place, run);
    requireId(place, 'question', question);
    return this.#records.reply(run, question, reply, within);
  }

  async prune(before: Date): Promise<number> {
    requireValue(`${this.#place}.prune`, 'before', before, aDate);
    return this.#records.prune(before);
  }
}

function requireIds(place: string, { id, conversation }: Pick<NewRun, 'id' | 'conversation'>): void {
  requireId(place, 'run', id);
  requireId(place, 'conversation', conversation);
}

/**
 * Wraps a view to check filters and times.
 *
 * @param place the name of the view in messages, such as `runs.acrossTenants`
 */
export function checkOverview(overview: RunsOverview, place: string): RunsOverview {
  const ofRuns = { ...runFilterForms, ...tenantForms };
  const ofQuestions = { ...questionFilterForms, ...tenantForms };
  return {
    async list(filter = {}) {
      requireOptions(`${place}.list`, filter, ofRuns);
      return overview.list(filter);
    },
    async outline(filter = {}) {
      requireOptions(`${place}.outline`, filter, ofRuns);
      return overview.outline(filter);
    },
    async questions(filter = {}) {
      requireOptions(`${place}.questions`, filter, ofQuestions);
      return overview.questions(filter);
    },
    async prune(before) {
      requireValue(`${place}.prune`, 'before', before, aDate);
      return overview.prune(before);
    },
  };
}

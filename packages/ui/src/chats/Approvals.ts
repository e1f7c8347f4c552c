import type { JsonValue } from 'toolwright';
import type { QuestionReply } from 'toolwright/conversations';
import type { OpenQuestion, QuestionPreview, Runs } from '@toolwright/durable';
import { HttpProblem } from '../http/HttpProblem.js';
import { MAX_PAGE } from '../limits.js';
import type { ApprovalDescription } from './ApprovalDescription.js';
import type { ChatUser } from './ChatOptions.js';
import { fitReply } from './readDecision.js';

/** The questions that one person may see and answer. */
export class Approvals<I extends JsonValue = JsonValue, User extends ChatUser = ChatUser> {
  readonly #runs: Runs<I>;
  readonly #mayAnswer: (question: OpenQuestion) => Promise<boolean>;
  readonly #user: User;

  /** @param mayAnswer says whether the person may see and answer a question */
  constructor(runs: Runs<I>, user: User, mayAnswer: (question: OpenQuestion) => Promise<boolean>) {
    this.#runs = runs;
    this.#user = user;
    this.#mayAnswer = mayAnswer;
  }

  /** Lists the open questions, of the oldest runs first. @param tool only questions about this tool */
  async list({
    tool,
    limit = MAX_PAGE,
  }: {
    readonly tool?: string;
    readonly limit?: number;
  }): Promise<readonly ApprovalDescription[]> {
    const found: ApprovalDescription[] = [];
    for await (const question of this.#listWaiting()) {
      if (found.length === limit) break;
      if ((tool ?? question.name) !== question.name || !(await this.#mayAnswer(question))) continue;
      found.push(await this.describe(question, false));
    }
    return found;
  }

  /** Returns a question with the effect of its call. @throws HttpProblem 404, also for questions that the person may not see */
  async get(id: string): Promise<ApprovalDescription> {
    return this.describe(await this.#find(id), true);
  }

  /**
   * Answers a question.
   *
   * @returns `late` if another person was faster, or the run has ended
   * @throws HttpProblem 404; PromptEvaluationError E735 for a reply that does not fit
   */
  async reply(id: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    return this.#reply(await this.#find(id), reply);
  }

  /**
   * Answers a question of a chat that the person has before them. One that was answered before stays as it is.
   *
   * @returns `late` if it was answered before, or its run has ended
   * @throws HttpProblem 403 for a question that another person has to answer; PromptEvaluationError E735
   */
  async replyInChat(id: string, reply: QuestionReply): Promise<'taken' | 'late'> {
    const question = await this.#findOpen(id);
    if (question === undefined) return 'late';
    if (!(await this.#mayAnswer(question))) throw new HttpProblem(403, 'Another person has to decide about this call.');
    return this.#reply(question, reply);
  }

  /** Describes a question. @param rehearses false for only its arguments */
  async describe(question: OpenQuestion, rehearses: boolean): Promise<ApprovalDescription> {
    const { id, name, about, askedAt, run } = question;
    const preview = await this.#runs.preview(run, id, { rehearses });
    return { question: id, tool: name, arguments: preview.arguments, about, askedAt, ...describeEffect(preview) };
  }

  /** Describes a question of a run, with the effect of its call; undefined once it is answered. */
  async describeAsked(run: string, id: string): Promise<ApprovalDescription | undefined> {
    const question = (await this.#runs.questions({ run, question: id })).at(0);
    return question && this.describe(question, true);
  }

  /** Yields the questions of all runs that wait, of whatever number. */
  async *#listWaiting(): AsyncGenerator<OpenQuestion, void> {
    for (let after = 0; ;) {
      const page = await this.#runs.list({ status: ['waiting'], after, limit: MAX_PAGE });
      for (const { id } of page) yield* await this.#runs.questions({ run: id });
      const last = page.at(-1);
      if (last === undefined || page.length < MAX_PAGE) return;
      after = last.order;
    }
  }

  async #findOpen(id: string): Promise<OpenQuestion | undefined> {
    return (await this.#runs.questions({ question: id, limit: 1 })).at(0);
  }

  #reply(question: OpenQuestion, reply: QuestionReply): Promise<'taken' | 'late'> {
    return this.#runs.reply(question.run, question.id, fitReply(question, { ...reply, by: this.#user.id }));
  }

  async #find(id: string): Promise<OpenQuestion> {
    const question = await this.#findOpen(id);
    if (question !== undefined && (await this.#mayAnswer(question))) return question;
    throw new HttpProblem(404, 'There is no such question, or it was answered.');
  }
}

function describeEffect({
  rehearsal,
  problem,
  seen,
}: QuestionPreview): Pick<ApprovalDescription, 'effect' | 'problem' | 'seen'> {
  if (rehearsal === undefined) return problem === undefined ? {} : { problem };
  const { changed, outcome } = rehearsal;
  return { effect: { changed, text: outcome.text, succeeds: outcome.kind === 'succeeded' }, seen };
}

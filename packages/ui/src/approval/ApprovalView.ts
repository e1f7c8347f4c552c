import type { ApprovalDescription } from '../chats/ApprovalDescription.js';
import { ApprovalForm, type SendDecision } from './ApprovalForm.js';
import { make } from './make.js';
import { showArguments, showEffect } from './showQuestion.js';

/** The content of the component: one question, and the form for its decision. */
export class ApprovalView {
  readonly element = make('article', {});
  readonly form: ApprovalForm;
  readonly #tool = make('h2', {});
  readonly #since = make('p', { class: 'soft' });
  readonly #notice = make('p', { class: 'notice', role: 'status' });
  readonly #arguments = make('div', {});
  readonly #effect = make('div', {});
  #question: ApprovalDescription | undefined;

  constructor(send: SendDecision) {
    this.form = new ApprovalForm(send);
    this.element.append(
      make('div', { class: 'head' }, this.#tool, this.#since),
      // The page may add what it knows about the run.
      make('slot', {}),
      this.#notice,
      make('section', {}, make('h3', {}, 'Arguments'), this.#arguments),
      make('section', {}, make('h3', {}, 'What it would change'), this.#effect),
      this.form.element,
    );
  }

  get question(): ApprovalDescription | undefined {
    return this.#question;
  }

  set question(question: ApprovalDescription | undefined) {
    const before = this.#question;
    // A page that polls sets the same question again and again, while the person reads and writes.
    if (JSON.stringify(before) === JSON.stringify(question)) return;
    this.#question = question;
    if (question === undefined) return;
    const isSame = before?.question === question.question;
    const hasMoved = isSame && before.seen !== undefined && before.seen !== question.seen;
    this.#notice.textContent = hasMoved ? 'The data has changed meanwhile: the call would now do this instead.' : '';
    this.#show(question);
    this.form.ask(question, isSame);
  }

  #show(question: ApprovalDescription): void {
    const { tool, about, askedAt } = question;
    const asked = new Date(askedAt);
    this.element.ariaLabel = `${about === 'unknown' ? 'Outcome' : 'Approval'} of ${tool}`;
    this.#tool.textContent = tool;
    const time = make('time', { datetime: asked.toISOString() }, asked.toLocaleTimeString());
    this.#since.replaceChildren('waits since ', time);
    this.#arguments.replaceChildren(showArguments(question.arguments));
    this.#effect.replaceChildren(...showEffect(question));
  }
}

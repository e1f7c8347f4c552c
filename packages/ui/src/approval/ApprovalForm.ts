import type { ApprovalDescription } from '../chats/ApprovalDescription.js';
import { make } from './make.js';

/** Sends an event of the component. */
export type SendDecision = (type: 'approve' | 'deny' | 'repeat' | 'outcome', detail: object | undefined) => void;

/** The form in which a person decides. It keeps its texts while its question stays the same. */
export class ApprovalForm {
  readonly element = make('form', {});
  readonly #send: SendDecision;
  readonly #edited = make('textarea', {
    id: 'edited',
    class: 'code',
    rows: '6',
    spellcheck: 'false',
    'aria-describedby': 'edited-problem',
  });
  readonly #problem = make('p', { id: 'edited-problem', class: 'error', role: 'alert' });
  readonly #editor = makeField('edited', 'Arguments, as JSON', this.#edited, this.#problem);
  readonly #edit = make('button', { type: 'button' }, 'Edit arguments');
  readonly #approve = make('button', { type: 'button', class: 'primary' }, 'Approve');
  readonly #reason = make('textarea', { id: 'reason', rows: '2' });
  readonly #deny = make('button', { type: 'button', class: 'danger' }, 'Deny');
  readonly #repeat = make('button', { type: 'button' }, 'Run it again');
  readonly #outcome = make('textarea', { id: 'outcome', rows: '2' });
  readonly #take = make('button', { type: 'button', class: 'primary' }, 'Take this as its outcome');
  #question: ApprovalDescription | undefined;
  #isDisabled = false;
  #hasFixedArguments = false;

  constructor(send: SendDecision) {
    this.#send = send;
    this.element.addEventListener('submit', (event) => event.preventDefault());
    this.#edit.addEventListener('click', () => this.#toggleEditor());
    this.#approve.addEventListener('click', () => this.#sendApproval());
    this.#deny.addEventListener('click', () => send('deny', { reason: this.#reason.value.trim() }));
    this.#repeat.addEventListener('click', () => send('repeat', undefined));
    this.#take.addEventListener('click', () => send('outcome', { text: this.#outcome.value.trim() }));
    this.#outcome.addEventListener('input', () => this.#update());
    this.#edited.addEventListener('input', () => this.#problem.replaceChildren());
    this.#editor.hidden = true;
  }

  set disabled(isDisabled: boolean) {
    this.#isDisabled = isDisabled;
    this.#update();
  }

  set hasFixedArguments(isFixed: boolean) {
    this.#hasFixedArguments = isFixed;
    this.#update();
  }

  /** Asks about a question. @param keepsTexts true if it is the one from before, with a new effect */
  ask(question: ApprovalDescription, keepsTexts: boolean): void {
    this.#question = question;
    if (keepsTexts) return;
    for (const field of [this.#edited, this.#reason, this.#outcome]) field.value = '';
    this.#problem.replaceChildren();
    this.#editor.hidden = true;
    this.element.replaceChildren(...(question.about === 'unknown' ? this.#outcomeFields() : this.#approvalFields()));
    this.#update();
  }

  #approvalFields(): readonly HTMLElement[] {
    const label = 'Reason for a denial, which the model reads';
    return [
      this.#editor,
      make('div', { class: 'bar' }, this.#approve, this.#edit),
      makeField('reason', label, this.#reason),
      make('div', { class: 'bar' }, this.#deny),
    ];
  }

  /** Only a person can find out what a call did whose process ended. */
  #outcomeFields(): readonly HTMLElement[] {
    const text = 'The process ended while the call ran, so its effect is unknown. Find out, then answer.';
    return [
      make('p', { class: 'soft' }, text),
      makeField('outcome', 'What it did, which the model reads', this.#outcome),
      make('div', { class: 'bar' }, this.#take, this.#repeat),
    ];
  }

  #toggleEditor(): void {
    this.#editor.hidden = !this.#editor.hidden;
    if (!this.#editor.hidden) {
      this.#edited.value = JSON.stringify(this.#question?.arguments, null, 2);
      this.#edited.focus();
    }
    this.#problem.replaceChildren();
    this.#update();
  }

  #sendApproval(): void {
    const { seen, arguments: given } = this.#question ?? {};
    if (this.#editor.hidden) return this.#send('approve', { seen });
    let edited: unknown;
    try {
      edited = JSON.parse(this.#edited.value);
    } catch (error) {
      this.#problem.textContent = `This is not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
      this.#edited.focus();
      return;
    }
    if (JSON.stringify(edited) === JSON.stringify(given)) this.#send('approve', { seen });
    // The effect that was shown is the effect of the model's arguments.
    else this.#send('approve', { seen: undefined, arguments: edited });
  }

  #update(): void {
    const isEditing = !this.#editor.hidden;
    this.#approve.textContent = isEditing ? 'Approve with these arguments' : 'Approve';
    this.#edit.textContent = isEditing ? 'Keep the arguments' : 'Edit arguments';
    this.#edit.hidden = this.#hasFixedArguments;
    for (const button of [this.#approve, this.#edit, this.#deny, this.#repeat]) button.disabled = this.#isDisabled;
    this.#take.disabled = this.#isDisabled || this.#outcome.value.trim() === '';
  }
}

function makeField(id: string, label: string, ...children: readonly HTMLElement[]): HTMLDivElement {
  return make('div', { class: 'field' }, make('label', { for: id }, label), ...children);
}

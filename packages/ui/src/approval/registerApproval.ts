import type { ApprovalDescription } from '../chats/ApprovalDescription.js';
import { approvalStyles } from './approvalStyles.js';
import { ApprovalView } from './ApprovalView.js';

/** `detail` of the event `approve`. */
export interface ApproveDetail {
  /** Binds the approval to the effect that was shown; undefined if none was. */
  readonly seen: string | undefined;
  /** The arguments that the person wrote instead of the model's; left out if they are unchanged. */
  readonly arguments?: unknown;
}

/** `detail` of the event `deny`. */
export interface DenyDetail {
  /** Empty if the person gave none. */
  readonly reason: string;
}

/** `detail` of the event `outcome`: the person found out what a call did whose process ended. */
export interface OutcomeDetail {
  readonly text: string;
}

/**
 * Shows a call that waits for a person: its arguments, what it would change, and a form for the decision. It sends nothing: the page
 * listens to the events `approve`, `deny`, and for a call of unknown effect `repeat` and `outcome`, and posts the decision. Children of
 * the element are shown below its title.
 */
export interface ApprovalElement extends HTMLElement {
  /** The question, as `GET /questions/:id` returns it. A question with the same id keeps what the person has written. */
  question: ApprovalDescription | undefined;
  /** True while the decision is being sent, or for a person who may only look. */
  disabled: boolean;
  /** True if the arguments cannot be changed. */
  fixedArguments: boolean;
}

declare global {
  interface HTMLElementTagNameMap {
    'toolwright-approval': ApprovalElement;
  }
}

/**
 * Registers `<toolwright-approval>`. Call it in the browser, once or more often. Pages change its look by the CSS properties
 * `--toolwright-text`, `-soft`, `-background`, `-raised`, `-line`, `-accent`, `-on-accent`, `-danger`, `-added`, `-notice`, `-radius`,
 * `-font` and `-mono`; light or dark follows `color-scheme` of the page.
 *
 * @example
 * registerApproval();
 * const view = document.createElement('toolwright-approval');
 * view.question = await (await fetch(`/api/chat/questions/${id}`)).json();
 * view.addEventListener('approve', ({ detail }) => post({ approved: true, ...detail }));
 * view.addEventListener('deny', ({ detail }) => post({ approved: false, ...detail }));
 */
export function registerApproval(): void {
  // The class is made here because HTMLElement does not exist on a server, where a page may be rendered.
  if (customElements.get('toolwright-approval') === undefined)
    customElements.define('toolwright-approval', makeApprovalClass());
}

function makeApprovalClass(): CustomElementConstructor {
  return class extends HTMLElement implements ApprovalElement {
    readonly #view = new ApprovalView((type, detail) => {
      this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
    });

    constructor() {
      super();
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(approvalStyles);
      this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet];
    }

    get question(): ApprovalDescription | undefined {
      return this.#view.question;
    }

    set question(question: ApprovalDescription | undefined) {
      this.#view.question = question;
      const { element } = this.#view;
      if (question === undefined) element.remove();
      // To append it again would take the focus from its fields.
      else if (element.parentNode === null) this.shadowRoot?.append(element);
    }

    get disabled(): boolean {
      return this.hasAttribute('disabled');
    }

    set disabled(isDisabled: boolean) {
      this.toggleAttribute('disabled', isDisabled);
      this.#view.form.disabled = isDisabled;
    }

    get fixedArguments(): boolean {
      return this.hasAttribute('fixed-arguments');
    }

    set fixedArguments(isFixed: boolean) {
      this.toggleAttribute('fixed-arguments', isFixed);
      this.#view.form.hasFixedArguments = isFixed;
    }

    /** Reads the attributes that HTML has set. */
    connectedCallback(): void {
      this.#view.form.disabled = this.disabled;
      this.#view.form.hasFixedArguments = this.fixedArguments;
    }
  };
}

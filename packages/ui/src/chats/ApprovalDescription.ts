/** A question as a person sees it before the decision. */
export interface ApprovalDescription {
  readonly question: string;
  readonly tool: string;
  /** Without secrets. */
  readonly arguments: unknown;
  /** `approval`: may it run? `unknown`: it began in a process that ended, and its outcome is not known. */
  readonly about: 'approval' | 'unknown';
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  /** The changes of the call, and the text that the model would read; left out if it cannot be rehearsed. */
  readonly effect?:
    { readonly changed: readonly unknown[]; readonly text: string; readonly succeeds: boolean } | undefined;
  /** Why the effect is not known. */
  readonly problem?: string | undefined;
  /** Binds an approval to this effect. */
  readonly seen?: string | undefined;
}

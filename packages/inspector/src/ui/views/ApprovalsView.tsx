import type { ApprovalElement, DenyDetail, OutcomeDetail } from '@toolwright/ui/approval';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { post } from '../api.js';
import { Empty, Problem } from '../parts/pieces.js';
import type { InboxItem } from '../types.js';

interface ApprovalsViewProps {
  readonly waiting: readonly InboxItem[] | undefined;
  readonly allowCalls: boolean;
}

/** Shows the calls that wait for a person: calls of this process, and of runs that are parked in a store. */
export function ApprovalsView({ waiting, allowCalls }: ApprovalsViewProps): JSX.Element {
  const [late, setLate] = useState<string>();
  if (waiting === undefined) {
    return (
      <Empty title="There is no inbox">
        Give an <code>ApprovalInbox</code> to the application as its approver, and to the inspector as{' '}
        <code>approvals</code>; or give the inspector the durable <code>runs</code>.
      </Empty>
    );
  }
  const notice = late !== undefined && (
    <p class="notice warn" role="status">
      Your answer about {late} came late: it was answered before, or its run has ended. It was not taken.
    </p>
  );
  if (waiting.length === 0)
    return (
      <div class="pane pad stack">
        {notice}
        <Empty title="Nothing waits">Calls that need an approval appear here, with what they would change.</Empty>
      </div>
    );
  return (
    <div class="pane pad stack" tabIndex={0} role="region" aria-label="Approvals">
      {notice}
      {!allowCalls && <p class="notice warn">The inspector is read-only: start it with --allow-calls to answer.</p>}
      <ul class="stack">
        {waiting.map((call) => (
          <li key={call.id}>
            <Question call={call} allowCalls={allowCalls} onLate={() => setLate(call.tool)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface QuestionProps {
  readonly call: InboxItem;
  readonly allowCalls: boolean;
  readonly onLate: () => void;
}

function Question({ call, allowCalls, onLate }: QuestionProps): JSX.Element {
  const [error, setError] = useState<unknown>();
  const { stored } = call;
  const answer = (reply: object): void => {
    post<{ said: string }>('approve', { id: call.id, ...reply }).then(({ said }) => {
      if (said === 'late') onLate();
    }, setError);
  };
  const props = {
    question: describeCall(call),
    disabled: !allowCalls,
    fixedArguments: true,
    onapprove: () => answer({ kind: 'approved' }),
    ondeny: ({ detail: { reason } }: CustomEvent<DenyDetail>) =>
      answer({ kind: 'denied', reason: reason === '' ? 'A person denied it.' : reason }),
    onrepeat: () => answer({ kind: 'repeat' }),
    onoutcome: ({ detail: { text } }: CustomEvent<OutcomeDetail>) => answer({ kind: 'outcome', text }),
  };
  return h(
    'toolwright-approval',
    props,
    stored !== undefined && (
      <dl class="facts">
        {stored.tenant !== undefined && (
          <>
            <dt>Tenant</dt>
            <dd>{stored.tenant}</dd>
          </>
        )}
        <dt>Run</dt>
        <dd>
          {stored.run} <span class="badge info">parked in the store</span>
        </dd>
        <dt>Conversation</dt>
        <dd>{stored.conversation}</dd>
      </dl>
    ),
    error !== undefined && <Problem error={error} />,
  );
}

/** Describes a call for the component that chats use as well. */
function describeCall({
  id,
  tool,
  arguments: given,
  since,
  stored,
  changed,
  unknown,
}: InboxItem): ApprovalElement['question'] {
  return {
    question: id,
    tool,
    arguments: given,
    about: stored?.about ?? 'approval',
    askedAt: since,
    effect: changed === undefined ? undefined : { changed: changed as readonly unknown[], text: '', succeeds: true },
    problem: unknown,
  };
}

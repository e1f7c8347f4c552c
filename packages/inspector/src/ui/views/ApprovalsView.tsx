import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { post } from '../api.js';
import { Changes } from '../parts/Diff.js';
import { Json } from '../parts/Json.js';
import { formatTime, Empty, Problem, TextInput } from '../parts/pieces.js';
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
  return (
    <article class="card stack" aria-label={`${stored?.about === 'unknown' ? 'Outcome' : 'Approval'} of ${call.tool}`}>
      <div class="bar">
        <h2 class="mono">{call.tool}</h2>
        <span class="badge warn">waits since {formatTime(call.since)}</span>
        {stored !== undefined && <span class="badge info">parked in the store</span>}
      </div>
      {stored !== undefined && (
        <dl class="facts">
          {stored.tenant !== undefined && (
            <>
              <dt>Tenant</dt>
              <dd>{stored.tenant}</dd>
            </>
          )}
          <dt>Run</dt>
          <dd>{stored.run}</dd>
          <dt>Conversation</dt>
          <dd>{stored.conversation}</dd>
        </dl>
      )}
      <div>
        <h3>Arguments</h3>
        <Json value={call.arguments} open={3} />
      </div>
      <div>
        <h3>What it would change</h3>
        <Difference call={call} />
      </div>
      {error !== undefined && <Problem error={error} />}
      {stored?.about === 'unknown' ? (
        <OutcomeForm allowCalls={allowCalls} onAnswer={answer} />
      ) : (
        <ApprovalForm allowCalls={allowCalls} onAnswer={answer} />
      )}
    </article>
  );
}

function Difference({ call: { unknown, changed } }: { call: InboxItem }): JSX.Element {
  if (unknown !== undefined) return <p class="soft">Not known: {unknown}</p>;
  if (changed === undefined) return <p class="soft">Rehearsing…</p>;
  return <Changes changed={changed as Parameters<typeof Changes>[0]['changed']} />;
}

interface FormProps {
  readonly allowCalls: boolean;
  readonly onAnswer: (reply: object) => void;
}

function ApprovalForm({ allowCalls, onAnswer }: FormProps): JSX.Element {
  const [reason, setReason] = useState('');
  const denied = { kind: 'denied', reason: reason === '' ? 'A person denied it.' : reason };
  return (
    <form class="bar" onSubmit={(event) => event.preventDefault()}>
      <button type="button" class="primary" disabled={!allowCalls} onClick={() => onAnswer({ kind: 'approved' })}>
        Approve
      </button>
      <TextInput
        label="Reason for the model"
        placeholder="Reason, which the model reads"
        value={reason}
        onValue={setReason}
      />
      <button type="button" disabled={!allowCalls} onClick={() => onAnswer(denied)}>
        Deny
      </button>
    </form>
  );
}

/** Shows the form for a call that was cut off: only a person can find out its effect. */
function OutcomeForm({ allowCalls, onAnswer }: FormProps): JSX.Element {
  const [text, setText] = useState('');
  return (
    <form class="stack" onSubmit={(event) => event.preventDefault()}>
      <p class="soft">Its process ended while it ran, so what it did is unknown. Find out, then answer.</p>
      <div class="bar">
        <button type="button" disabled={!allowCalls} onClick={() => onAnswer({ kind: 'repeat' })}>
          Run it again
        </button>
        <TextInput
          label="What it did"
          placeholder="What it did, which the model reads"
          value={text}
          onValue={setText}
        />
        <button
          type="button"
          class="primary"
          disabled={!allowCalls || text === ''}
          onClick={() => onAnswer({ kind: 'outcome', text })}
        >
          Take this as its outcome
        </button>
      </div>
    </form>
  );
}

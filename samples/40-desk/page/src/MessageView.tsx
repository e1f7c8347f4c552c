import type { DynamicToolUIPart, UIMessage } from 'ai';
import { memo, type ReactNode } from 'react';

type Part = UIMessage['parts'][number];

/** One message: bubbles of text, and small lines for what the agent did. */
export const MessageView = memo(function MessageView({ message }: { readonly message: UIMessage }): ReactNode {
  const { role, parts } = message;
  return (
    <article className={`message ${role}`} aria-label={role === 'user' ? 'You' : 'The desk'}>
      {parts.map((part, index) => (
        <PartView key={index} part={part} role={role} />
      ))}
    </article>
  );
});

function PartView({ part, role }: { readonly part: Part; readonly role: UIMessage['role'] }): ReactNode {
  if (part.type === 'text') return part.text.trim() === '' ? null : <p className={`bubble ${role}`}>{part.text}</p>;
  if (part.type === 'dynamic-tool') return <ToolView part={part} />;
  if (part.type === 'data-section') {
    const { path } = part.data as { readonly path: string };
    return <p className="line">Opened the chapter “{path.replaceAll('.', ' › ').replaceAll('_', ' ')}”</p>;
  }
  if (part.type === 'data-late') {
    const { decision } = part.data as { readonly decision: string };
    return <p className="line">Your decision came too late. What counts: {decision}.</p>;
  }
  if (part.type === 'steering-message') {
    const text = part.parts.map((each) => (each.type === 'text' ? each.text : '')).join('');
    return <p className="bubble user added">{text}</p>;
  }
  return null;
}

function ToolView({ part }: { readonly part: DynamicToolUIPart }): ReactNode {
  const [mark, word] = describeState(part);
  const { approval } = part;
  return (
    <details className={`line tool ${mark}`}>
      <summary>
        <span className="tool-name">{part.toolName.replaceAll('_', ' ')}</span>
        <span className="state">{word}</span>
      </summary>
      <p className="label">Arguments</p>
      <pre tabIndex={0}>{JSON.stringify(part.input ?? {}, null, 2)}</pre>
      {part.state === 'output-available' && (
        <>
          <p className="label">Result</p>
          <pre tabIndex={0}>{formatOutput(part.output)}</pre>
        </>
      )}
      {part.state === 'output-error' && (
        <>
          <p className="label">Result</p>
          <pre tabIndex={0}>{part.errorText}</pre>
        </>
      )}
      {approval?.reason !== undefined && <p>Reason: {approval.reason}</p>}
    </details>
  );
}

/** Returns a mark for the style, and a word for the reader. */
function describeState({ state, approval }: DynamicToolUIPart): readonly [string, string] {
  switch (state) {
    case 'input-streaming':
    case 'input-available':
      return ['running', 'running'];
    case 'approval-requested':
      return ['waiting', 'waits for a supervisor'];
    case 'approval-responded':
      return ['running', approval?.approved === false ? 'denied' : 'approved'];
    case 'output-available':
      return ['done', approval?.approved === true ? 'approved and done' : 'done'];
    case 'output-error':
      return ['failed', 'not possible'];
    case 'output-denied':
      return ['failed', 'denied by the supervisor'];
  }
}

function formatOutput(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2);
}

import { useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react';

interface ComposerProps {
  /** True while the agent answers: a message then reaches it in between. */
  readonly isBusy: boolean;
  readonly isDisabled: boolean;
  /** Rejects if the server does not take the message, which then stays in the field. */
  readonly onSend: (text: string) => Promise<void>;
  readonly onProblem: (error: unknown) => void;
  readonly onStop: () => void;
}

export function Composer({ isBusy, isDisabled, onSend, onProblem, onStop }: ComposerProps): ReactNode {
  const [text, setText] = useState('');
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    const message = text.trim();
    if (message === '' || isDisabled) return;
    setText('');
    onSend(message).catch((error: unknown) => {
      setText(message);
      onProblem(error);
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    }
  };
  return (
    <form className="composer" onSubmit={submit}>
      <textarea
        aria-label={isBusy ? 'Add something to your message' : 'Your message'}
        placeholder={isBusy ? 'Add something while the desk works…' : 'Write to the desk…'}
        rows={1}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {isBusy && (
        <button type="button" onClick={onStop}>
          Stop
        </button>
      )}
      <button type="submit" className="primary" disabled={isDisabled || text.trim() === ''}>
        {isBusy ? 'Add' : 'Send'}
      </button>
    </form>
  );
}

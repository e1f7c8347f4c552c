import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, type UIMessage } from 'ai';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { newId, Refusal, type Api, type ChatContent } from './api.js';
import { Composer } from './Composer.js';
import { MessageView } from './MessageView.js';
import { usePolling } from './usePolling.js';

interface ChatProps {
  readonly id: string;
  readonly api: Api;
  /** What the server has of the chat. */
  readonly content: ChatContent;
  /** Called when a message was sent or answered. */
  readonly onChange: () => void;
}

/** A message that was sent during an answer, and has not reached the agent yet. */
interface Addition {
  readonly id: string;
  readonly text: string;
}

export function Chat({ id, api, content, onChange }: ChatProps): ReactNode {
  const [isLost, setLost] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [additions, setAdditions] = useState<readonly Addition[]>([]);
  /** True from a stop, or from reading on, until the next message. */
  const isCaughtUp = useRef(false);
  const transport = useMemo(() => makeTransport(api), [api]);
  const chat = useChat({
    id,
    messages: content.messages,
    transport,
    resume: content.isRunning,
    throttle: 40,
    onFinish: ({ isDisconnect, isError, finishReason }) => {
      onChange();
      // A message without an end: its server was shut down, or the answer was stopped, in which case it ends like this again.
      const isCut = !isError && finishReason === undefined && !isCaughtUp.current;
      if (isDisconnect || isCut) setLost(true);
    },
    onError: (error) => {
      if (isNetworkError(error)) setLost(true);
      else setProblem(error.message);
    },
  });
  const { messages, status, setMessages, sendMessage, resumeStream, clearError } = chat;
  const isBusy = status === 'submitted' || status === 'streaming';
  const isBegun = status === 'streaming';
  // A new chat has its title from its first message on.
  useEffect(() => {
    if (isBegun) onChange();
  }, [isBegun]);
  const isWaiting = !isBusy && messages.at(-1)?.parts.some(isUndecided) === true;

  /** Shows what the server has, and reads on if it writes. */
  const catchUp = async ({ messages: known, isRunning }: ChatContent): Promise<void> => {
    clearError();
    setMessages(known);
    setLost(false);
    isCaughtUp.current = true;
    if (isRunning) await resumeStream();
    onChange();
  };
  usePolling(isLost && !isBusy, 1_000, async () => catchUp(await api.get<ChatContent>(`/${id}`)));
  // The decision of a supervisor comes over another connection.
  usePolling(isWaiting && !isLost, 2_000, async () => {
    const now = await api.get<ChatContent>(`/${id}`);
    if (now.messages.at(-1)?.parts.some(isUndecided) !== true) await catchUp(now);
  });

  const heard = useMemo(() => new Set(messages.flatMap(({ parts }) => parts.flatMap(idOfSteering))), [messages]);
  const pending = additions.filter((addition) => !heard.has(addition.id));
  const send = async (text: string): Promise<void> => {
    setProblem(undefined);
    if (!isBusy) {
      isCaughtUp.current = false;
      return void sendMessage({ text });
    }
    const addition = { id: newId(), text };
    setAdditions([...additions, addition]);
    try {
      await api.post(`/${id}/steer`, addition);
    } catch (error) {
      setAdditions((all) => all.filter((each) => each.id !== addition.id));
      throw error;
    }
  };
  const stop = async (): Promise<void> => {
    isCaughtUp.current = true;
    await api.post(`/${id}/stop`);
  };
  const attempt = (work: Promise<void>): void => {
    work.catch((error: unknown) =>
      setProblem(error instanceof Refusal ? error.message : 'The server does not answer.'),
    );
  };
  return (
    <main className="chat">
      <Messages messages={messages} isBusy={isBusy} pending={pending} />
      {messages.length === 0 && <Welcome api={api} onChoose={(text) => attempt(send(text))} />}
      <div className="foot">
        <div role="status">
          {isLost && <p className="notice">The connection is lost. Trying again…</p>}
          {isWaiting && (
            <p className="notice">
              A supervisor decides about this. If you write something else meanwhile, you take it back.
            </p>
          )}
        </div>
        {problem !== undefined && (
          <p className="notice bad" role="alert">
            {problem}
            <button type="button" className="bare" onClick={() => (setProblem(undefined), clearError())}>
              Close
            </button>
          </p>
        )}
        <Composer
          isBusy={isBusy}
          isDisabled={isLost}
          onSend={send}
          onProblem={(error) => attempt(Promise.reject(error))}
          onStop={() => attempt(stop())}
        />
      </div>
    </main>
  );
}

interface MessagesProps {
  readonly messages: readonly UIMessage[];
  readonly isBusy: boolean;
  readonly pending: readonly Addition[];
}

function Messages({ messages, isBusy, pending }: MessagesProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const list = scroller.current;
    if (list === null) return undefined;
    // Whoever reads further up is not moved.
    const follow = (): void => {
      if (isAtEnd.current) list.scrollTo({ top: list.scrollHeight });
    };
    const sizes = new ResizeObserver(follow);
    const changes = new MutationObserver(follow);
    sizes.observe(list);
    changes.observe(list, { childList: true, subtree: true, characterData: true });
    return () => {
      sizes.disconnect();
      changes.disconnect();
    };
  }, []);
  return (
    <div
      className="messages"
      ref={scroller}
      role="log"
      aria-label="Messages"
      aria-busy={isBusy}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 60;
      }}
    >
      {messages.map((message) => (
        <MessageView key={message.id} message={message} />
      ))}
      {pending.map(({ id, text }) => (
        <p key={id} className="bubble user pending">
          {text} <small>waits for the next pause of the agent</small>
        </p>
      ))}
      {isBusy && (
        <p className="typing">
          <span className="dots" aria-hidden="true" />
          The desk is working
        </p>
      )}
    </div>
  );
}

function Welcome({ api, onChoose }: { readonly api: Api; readonly onChoose: (text: string) => void }): ReactNode {
  return (
    <section className="welcome">
      <h2>How can we help, {api.person.name.split(' ')[0]}?</h2>
      <ul>
        {api.person.suggestions?.map((text) => (
          <li key={text}>
            <button type="button" onClick={() => onChoose(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function makeTransport(api: Api): DefaultChatTransport<UIMessage> {
  return new DefaultChatTransport({
    api: '/api/chat',
    headers: api.headers,
    // The server has the conversation; it only needs what is new.
    prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => ({
      body: { id, message: messages.at(-1), trigger, messageId },
    }),
  });
}

function isUndecided(part: UIMessage['parts'][number]): boolean {
  return part.type === 'dynamic-tool' && part.state === 'approval-requested';
}

function idOfSteering(part: UIMessage['parts'][number]): readonly string[] {
  return part.type === 'steering-message' ? [part.id] : [];
}

function isNetworkError(error: Error): boolean {
  return error instanceof TypeError;
}

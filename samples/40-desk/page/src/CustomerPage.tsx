import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { newId, Refusal, type Api, type ChatContent, type ChatSummary } from './api.js';
import { Chat } from './Chat.js';
import { usePolling } from './usePolling.js';

interface CustomerPageProps {
  readonly api: Api;
  /** The chat that the address names; undefined for a new one. */
  readonly chat: string | undefined;
}

/** The chats of a customer, and one of them. */
export function CustomerPage({ api, chat }: CustomerPageProps): ReactNode {
  const [chats, setChats] = useState<readonly ChatSummary[]>([]);
  const [content, setContent] = useState<ChatContent & { readonly id: string }>();
  const open = useCallback((id: string) => (location.hash = `#/${api.person.id}/${id}`), [api]);
  const list = useCallback(async () => {
    setChats((await api.get<{ readonly chats: readonly ChatSummary[] }>('')).chats);
  }, [api]);
  useEffect(() => void list().catch((error: unknown) => isSignedOut(error) && (location.hash = '#/')), [list]);
  useEffect(() => {
    if (chat === undefined || chat === '') open(newId());
  }, [chat, open]);
  const isMissing = chat !== undefined && chat !== '' && content?.id !== chat;
  // Until the server answers, which may just be starting again.
  usePolling(isMissing, 1_000, async () => {
    if (chat !== undefined) setContent({ id: chat, ...(await readChat(api, chat)) });
  });
  return (
    <div className="customer">
      <nav aria-label="Chats">
        <button type="button" onClick={() => open(newId())}>
          New chat
        </button>
        <ul>
          {chats.map(({ id, title }) => (
            <li key={id}>
              <a href={`#/${api.person.id}/${id}`} aria-current={id === chat ? 'page' : undefined}>
                <span>{title ?? 'Without a title'}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {content !== undefined && content.id === chat ? (
        <Chat key={chat} id={chat} api={api} content={content} onChange={() => void list().catch(() => undefined)} />
      ) : (
        <main aria-busy="true" className="soft pad">
          Loading…
        </main>
      )}
    </div>
  );
}

async function readChat(api: Api, id: string): Promise<ChatContent> {
  try {
    return await api.get<ChatContent>(`/${id}`);
  } catch (error) {
    // The server knows a chat from its first message on.
    if (error instanceof Refusal && error.status === 404) return { isRunning: false, messages: [] };
    throw error;
  }
}

function isSignedOut(error: unknown): boolean {
  return error instanceof Refusal && error.status === 401;
}

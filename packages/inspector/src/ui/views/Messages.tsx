import type { JSX } from 'preact';
import { Json } from '../parts/Json.js';
import type { BundleEntry } from '../types.js';

type Message = BundleEntry<'end'>['messages'][number];

/** Shows the messages of a conversation. */
export function Messages({ messages }: { messages: readonly Message[] }): JSX.Element {
  return (
    <ol class="stack">
      {messages.map((message, index) => (
        <li
          key={String(index)}
          class={`message ${message.role} ${message.role === 'tool' && message.failed ? 'failed' : ''}`}
        >
          <span class="soft">{message.role === 'tool' ? `${message.name} answers` : message.role}</span>
          {message.role === 'system' ? (
            <System text={message.content} />
          ) : (
            message.content !== null && message.content !== '' && <pre tabIndex={0}>{message.content}</pre>
          )}
          {message.role === 'assistant' &&
            message.toolCalls?.map((call) => (
              <div key={call.id} class="card">
                <b class="mono">{call.name}</b>
                <Json value={typeof call.arguments === 'string' ? parseJson(call.arguments) : call.arguments} />
              </div>
            ))}
        </li>
      ))}
    </ol>
  );
}

function System({ text }: { text: string }): JSX.Element {
  return (
    <details>
      <summary>{text.length.toLocaleString('en')} characters</summary>
      <pre tabIndex={0}>{text}</pre>
    </details>
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

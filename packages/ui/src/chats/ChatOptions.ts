import type { ContentPart, JsonValue } from 'toolwright';
import type { Awaitable } from 'toolwright/types';
import type { OpenQuestion } from '@toolwright/durable';
import type { ShownSlices } from './StateReader.js';

/** The person who sends a request, as the host knows them. */
export interface ChatUser {
  /** Owns the chats. The same person has the same id in every request. */
  readonly id: string;
  /** The tenant whose runs and conversations the person sees; none when left out. */
  readonly tenant?: string | null | undefined;
}

/** A message of a user. */
export interface ChatMessage {
  /** The client's id: the same message sent twice is one message. */
  readonly id: string;
  readonly text: string;
  readonly parts: readonly ContentPart[];
}

/** The message that begins a run, and the request that it came with. */
export interface ChatSubmission<User extends ChatUser = ChatUser> {
  readonly user: User;
  /** The client's id of the chat. */
  readonly chat: string;
  /** The body of the request, with the fields that the host's own client adds. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Limits of a request. */
export interface ChatLimits {
  /** Bytes of a body; 10,000,000 by default. */
  readonly bodyBytes?: number | undefined;
  /** Characters of the texts of a message; 200,000 by default. */
  readonly textChars?: number | undefined;
  /** Files of a message; 10 by default, and 0 for none. */
  readonly files?: number | undefined;
  /** Bytes of a file; 5,000,000 by default. */
  readonly fileBytes?: number | undefined;
}

/** Options of `chatHandler` and `agUiHandler`. */
export interface ChatOptions<I extends JsonValue = JsonValue, User extends ChatUser = ChatUser> {
  /**
   * Returns the person who sends a request, from a cookie or a token that the host checks. Null is answered with 401, and a response is
   * sent as it is, e.g. to redirect, or with 429 for too many requests.
   */
  readonly authenticate: (request: Request) => Awaitable<User | Response | null>;
  /** The path under which the host mounts the handler; `/api/chat` by default. */
  readonly path?: string | undefined;
  /** Other origins whose pages may call with the user's cookies, e.g. `https://app.example.com`. The own origin always may. */
  readonly origins?: readonly string[] | undefined;
  /** Makes the `input` that `prepare` gets; `{ user, chat }` with both ids by default. */
  readonly input?: ((submission: ChatSubmission<User>) => Awaitable<I>) | undefined;
  readonly limits?: ChatLimits | undefined;
  /**
   * State classes whose values the front end shows, by the name under which it gets them, e.g. `{ plan: Plan }`. Reading them costs a pass
   * over the log of the conversation after each call.
   */
  readonly state?: ShownSlices | undefined;
  /** Media types of files that a user may send; pictures, PDF and plain text by default. */
  readonly mediaTypes?: readonly string[] | undefined;
  /**
   * Says whether a person may see and answer a question of another person's chat, such as a supervisor. Everyone answers the questions of
   * their own chats, unless it returns false for them.
   */
  readonly mayAnswer?: ((user: User, question: OpenQuestion) => Awaitable<boolean>) | undefined;
}

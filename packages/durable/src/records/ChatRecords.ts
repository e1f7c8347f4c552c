/** The record of a chat: the conversations that a person sees as one, and its title. */
export interface ChatRecord {
  /** The person whose chat it is. Ids of chats are unique for each owner. */
  readonly owner: string;
  readonly id: string;
  /** The conversations of the chat, at least one. The last one is shown; the others are earlier versions of it. */
  readonly branches: readonly string[];
  readonly title: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970 of the last change. Each change of a chat makes it greater than those of all chats of its owner. */
  readonly changedAt: number;
}

/** The data of a new chat. */
export type NewChat = Pick<ChatRecord, 'owner' | 'id' | 'branches' | 'title'>;

/** The fields of a chat that may change. */
export type ChatChanges = Partial<Pick<ChatRecord, 'branches' | 'title'>>;

/** Names a chat, and the conversation that it must show. */
export interface ChatCondition extends Pick<ChatRecord, 'owner' | 'id'> {
  /** The last branch. */
  readonly branch: string;
}

/** A part of a list of chats. */
export interface ChatPage {
  /** Only chats that were last changed before this time, in milliseconds since 1970, to read the next page. */
  readonly before?: number | undefined;
  /** Maximum number of chats; 100 by default. */
  readonly limit?: number | undefined;
}

/** Port to the chats of one tenant. A store keeps them beside its conversations, which it neither reads nor deletes for them. */
export interface ChatRecords {
  /** Returns a chat, or undefined. */
  get(owner: string, id: string): Promise<ChatRecord | undefined>;
  /**
   * Creates a chat.
   *
   * @returns `exists` if the owner has a chat of this id, which is not changed
   * @throws PromptEvaluationError E709 for anything but ids, or if it cannot be written; PromptError E413 for another form, or a title of
   * more than 1,000 characters
   */
  create(chat: NewChat): Promise<'created' | 'exists'>;
  /**
   * Changes a chat if it shows the given conversation.
   *
   * @returns the chat after the change; undefined if it shows another conversation or does not exist
   * @throws PromptEvaluationError E709 for anything but ids, or if it cannot be written; PromptError E413 for another form, or a title of
   * more than 1,000 characters
   */
  change(chat: ChatCondition, changes: ChatChanges): Promise<ChatRecord | undefined>;
  /** Lists the chats of an owner, the last changed first. */
  list(owner: string, page?: ChatPage): Promise<readonly ChatRecord[]>;
  /** Deletes a chat. Its conversations stay. @returns false if there was none */
  delete(owner: string, id: string): Promise<boolean>;
}

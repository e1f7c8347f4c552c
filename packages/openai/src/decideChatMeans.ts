import type { JsonValue, ModelRequest } from 'toolwright';
import { recordMeans } from 'toolwright/internal';
import { isRecord } from 'toolwright/internal/light';

/** The role of the framework's own notes in the middle of a conversation. */
export type NoteRole = 'developer' | 'system' | 'user';

/** Decisions of a Chat Completions conversation that are made when it begins. */
export interface ChatMeans {
  readonly notes: NoteRole;
  readonly reasoning: boolean;
}

/** Chooses the role of notes: `developer` for the provider's own models; otherwise `user`, which every template accepts. */
export function chooseNoteRole(model: string): NoteRole {
  return /^(gpt-\d|chatgpt-|o\d)/.test(model) && !model.startsWith('gpt-oss') ? 'developer' : 'user';
}

/** Decides how a conversation is written from its beginning on; for `ModelAdapter.means`. */
export function decideChatMeans(
  begin: Pick<ModelRequest, 'offeredTools' | 'closedTools'>,
  strict: boolean,
  { notes, reasoning }: ChatMeans,
): JsonValue {
  return { ...recordMeans(begin, 'openai', { strict }), notes, reasoning };
}

/** Returns the decisions from the beginning of the conversation; for a request without them, the adapter's own settings. */
export function readChatMeans({ means }: ModelRequest, own: ChatMeans): ChatMeans {
  if (!isRecord(means)) return own;
  const { notes, reasoning } = means;
  return {
    notes: notes === 'developer' || notes === 'system' || notes === 'user' ? notes : own.notes,
    reasoning: typeof reasoning === 'boolean' ? reasoning : own.reasoning,
  };
}

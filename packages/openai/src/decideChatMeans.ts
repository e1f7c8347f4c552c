import type { JsonValue, ModelRequest } from 'toolwright';
import { recordMeans } from 'toolwright/internal';
import { isRecord } from 'toolwright/internal/light';

/** Who says the framework's own notes in the middle of a conversation. */
export type NoteRole = 'developer' | 'system' | 'user';

/** What of a Chat Completions conversation is decided when it begins. */
export interface ChatMeans {
  readonly notes: NoteRole;
  readonly reasoning: boolean;
}

/** Returns who says notes: the developer to the provider's own models; elsewhere the user, whom every template accepts. */
export function chooseNoteRole(model: string): NoteRole {
  return /^(gpt-\d|chatgpt-|o\d)/.test(model) && !model.startsWith('gpt-oss') ? 'developer' : 'user';
}

/** Decides what has to stay as it is in a conversation; for `ModelAdapter.means`. */
export function decideChatMeans(
  begin: Pick<ModelRequest, 'offeredTools' | 'closedTools'>,
  strict: boolean,
  { notes, reasoning }: ChatMeans,
): JsonValue {
  return { ...recordMeans(begin, 'openai', { strict }), notes, reasoning };
}

/** Returns what was decided when the conversation began; the adapter's own settings for a request without it. */
export function readChatMeans({ means }: ModelRequest, own: ChatMeans): ChatMeans {
  if (!isRecord(means)) return own;
  const { notes, reasoning } = means;
  return {
    notes: notes === 'developer' || notes === 'system' || notes === 'user' ? notes : own.notes,
    reasoning: typeof reasoning === 'boolean' ? reasoning : own.reasoning,
  };
}

// Conversations, and the stores that keep them.
export { Conversation } from '../evaluate/conversation/Conversation.js';
export type { ConversationOptions, ForkOptions } from '../evaluate/conversation/ConversationOptions.js';
export type { ConversationJson, ConversationJsonBounds } from '../evaluate/conversation/readConversation.js';
export type { HistoryOptions } from '../evaluate/conversation/shortenHistory.js';
export type { UnknownCallPolicy } from '../value/UnknownCallPolicy.js';
export type { AppendTransaction } from '../interface/AppendTransaction.js';
export type {
  AnswerJudged,
  CallBegun,
  CallEnded,
  ConversationBegan,
  ConversationHead,
  LogEntry,
  LogPosition,
  ModelAnswered,
  ModelChosen,
  NoteAdded,
  OpenLog,
  QuestionAnswered,
  QuestionAsked,
  QuestionReply,
  RecordedTool,
  RunBegan,
  RunEnded,
  RunStore,
  SegmentBegan,
  SentDigest,
  SessionDelta,
  SharedChange,
} from '../interface/RunStore.js';

// Conversations, the stores that keep them, and the state of a session.
export { Conversation } from '../evaluate/conversation/Conversation.js';
export type { ConversationOptions, ForkOptions } from '../evaluate/conversation/ConversationOptions.js';
export type { ConversationJson, ConversationJsonBounds } from '../evaluate/conversation/log/readConversation.js';
export { forgetUser, readUser, type MemoryStore } from '../evaluate/conversation/session/userMemory.js';
export type { HistoryOptions } from '../evaluate/conversation/history/shortenHistory.js';
export type { UnknownCallPolicy } from '../value/ToolCall.js';
export type { AppendTransaction } from '../interface/OutcomeRecord.js';
export type {
  ConversationHead,
  HistoryEntry,
  QuestionReply,
  RecordedTool,
  RunDelta,
  RunEntry,
  SentDigest,
  SessionDelta,
  ShownEntry,
} from '../interface/RunEntry.js';
export type {
  LogPosition,
  OpenLog,
  RunStore,
  SharedChange,
  SteeringMessage,
  WaitingMessage,
} from '../interface/RunStore.js';
export type { Draft, SessionPort, SlicePort, StateTable } from '../interface/SessionPort.js';
export type { ReducerFunction, ReducerContext, SliceView } from '../interface/SliceOp.js';
export { appendAll, replaceLatest, replaceLatestBy, upsertBy } from '../session/slice/SliceOps.js';
export type { RegistrableSlice, SessionFromJsonOptions, SessionToJsonOptions } from '../session/Session.js';
export type { SliceDeclaration, SliceScope } from '../session/slice/SliceRegistry.js';
export { AddFoundTools, ClearFoundTools, FoundTools } from '../session/FoundTools.js';
export {
  ClearAllVisibilityOverrides,
  ClearVisibilityOverride,
  SetVisibilityOverride,
  VisibilityOverrides,
} from '../session/VisibilityOverrides.js';
export type { SlicePolicy } from '../session/slice/SliceRules.js';

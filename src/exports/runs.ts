// Stores of conversations, from which runs are continued.
export { FileRuns, type FileRunsOptions } from '../evaluate/FileRuns.js';
export type {
  CallBegun,
  ConversationBegan,
  ConversationHead,
  LogEntry,
  LogPosition,
  ModelChosen,
  NoteAdded,
  OpenLog,
  QuestionAnswered,
  QuestionAsked,
  QuestionReply,
  RecordedTool,
  RunEnded,
  RunStore,
  SegmentBegan,
  SessionDelta,
} from '../interface/RunStore.js';

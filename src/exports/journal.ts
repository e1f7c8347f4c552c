// Journals of runs, from which a run is continued.
export type {
  AnswerJudged,
  CallEnded,
  CallGuided,
  Journal,
  JournalEntry,
  ModelAnswered,
  RunBegan,
} from '../interface/Journal.js';
export { FileJournal } from '../evaluate/FileJournal.js';

export { FilePage } from './FilePage.js';
export { LineFound, LinesFound } from './LinesFound.js';
export {
  EditFileParams,
  GlobParams,
  GrepParams,
  ListParams,
  ReadFileParams,
  RemoveParams,
  WriteFileParams,
} from './workspaceParams.js';
export { DirectoryEntry, DirectoryListing, FileEdited, FilesFound, FileWritten, Removed } from './workspaceResults.js';
export { WorkspaceSection } from './WorkspaceSection.js';

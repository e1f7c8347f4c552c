import type { AbstractConstructor } from '../common/types.js';
import { FeedbackGiven } from './FeedbackGiven.js';
import { ModelSwitched } from './ModelSwitched.js';
import { PrefixMeasured } from './PrefixMeasured.js';
import { PromptDrifted } from './PromptDrifted.js';
import { PromptExecuted, PromptRendered, PromptStopped } from './promptEvents.js';
import { SectionsRequested } from './SectionsRequested.js';
import { ToolInvoked } from './ToolInvoked.js';
import { ToolProgressed } from './ToolProgressed.js';
import { ToolsRendered } from './ToolsRendered.js';

/** All event classes. A subscriber needs the classes of the copy of the package that publishes. */
export const eventClasses: readonly AbstractConstructor[] = Object.freeze([
  PromptRendered,
  PromptDrifted,
  ToolsRendered,
  PrefixMeasured,
  ModelSwitched,
  ToolProgressed,
  SectionsRequested,
  ToolInvoked,
  FeedbackGiven,
  PromptExecuted,
  PromptStopped,
]);

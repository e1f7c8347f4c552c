// Events and the bus that publishes them.
export { RejectedToolParams, type ArgumentRepair, type RepairKind } from '../value/ToolCall.js';
export type { ContentPartSummary } from '../value/ContentPart.js';
export type { SectionCost } from '../value/SectionCost.js';
export { InProcessEventBus, type DispatchResult, type EventBus, type Subscriber } from '../event/EventBus.js';
export { FeedbackGiven, type FeedbackGivenFields } from '../event/FeedbackGiven.js';
export { ModelSwitched, type ModelSwitchedFields } from '../event/ModelSwitched.js';
export { PrefixMeasured, type PrefixMeasuredFields } from '../event/PrefixMeasured.js';
export { PromptDrifted, type PromptDriftedFields } from '../event/PromptDrifted.js';
export {
  PromptExecuted,
  PromptRendered,
  PromptStopped,
  type PromptExecutedFields,
  type PromptRenderedFields,
  type PromptStoppedFields,
} from '../event/promptEvents.js';
export { SectionsRequested, type SectionsRequestedFields } from '../event/SectionsRequested.js';
export { ToolInvoked, type EventHead, type Expansion, type ToolInvokedFields } from '../event/ToolInvoked.js';
export { ToolProgressed, type ToolProgress, type ToolProgressedFields } from '../event/ToolProgressed.js';
export { ToolsRendered, type ToolsRenderedFields } from '../event/ToolsRendered.js';

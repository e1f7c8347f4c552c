export { ApprovalInbox, type InboxReader, type InboxItem } from './ApprovalInbox.js';
export type { ForkAdapter } from './ForkDesk.js';
export type { Inspected, InspectorOptions } from './Inspector.js';
export { InspectorError } from './InspectorError.js';
export { inspectorHandler, type InspectorHandler, type MountOptions } from './inspectorHandler.js';
export { serveInspector, type ServedInspector, type ServeOptions } from './serveInspector.js';

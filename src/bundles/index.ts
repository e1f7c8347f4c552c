export type { Bundle, BundleEntry, BundleHead, BundleSection, BundleTool } from './BundleEntry.js';
export { readBundle, readBundleFile, type ReadBundleOptions } from './readBundle.js';
export { recordBundle, type BundleRecording, type RecordBundleOptions } from './recordBundle.js';
export { replayOf, stateAt, type BundleReplay } from './replayOf.js';
export { replayTest, type ReplayTestOptions } from './replayTest.js';

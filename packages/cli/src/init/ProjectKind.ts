import type { TEST_RUNNERS } from '../options.js';

/** A kind of project that `init` writes, and that `add` finds. */
export type ProjectKind = 'plain' | 'nest';

/** A test runner for which tests are written. */
export type TestRunner = (typeof TEST_RUNNERS)[number];

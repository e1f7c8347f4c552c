/** The resolution of a file's times is milliseconds to two seconds, depending on the disk: two changes within one step leave the same times, and possibly the same size. So its times are reliable only once they are older than that. */
export const FILE_TIME_STEP_MS = 2_000;
/** Attempts while the tree is changed concurrently. */
export const MAX_SNAPSHOT_ATTEMPTS = 5;

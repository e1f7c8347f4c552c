import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** A full collection, now. The flag adds the function to contexts that are made after it only. */
export const collectGarbage = runInNewContext('gc') as () => void;

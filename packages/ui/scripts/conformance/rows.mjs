// All rows: the clients of the AI SDK, then the hosts.
import { rows as aiSdk } from './aiSdk.mjs';
import { rows as hosts } from './hosts.mjs';

export const rows = [...aiSdk, ...hosts];

// All rows: the clients of the AI SDK, then the hosts.
import { rows as aiSdk } from './aiSdk.mjs';
import { rows as hosts } from './hosts.mjs';
import { rows as assistantUi } from './assistantUi.mjs';

export const rows = [...aiSdk, ...assistantUi, ...hosts];

// All rows, the AI SDK first.
export { rows } from './aiSdk.mjs';

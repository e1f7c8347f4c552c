export { meta, rules } from './plugin.js';

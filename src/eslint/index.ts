export { default, meta, rules } from './plugin.js';

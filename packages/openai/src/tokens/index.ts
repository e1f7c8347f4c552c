export { gptTokens, type GptEncoding } from './gptTokens.js';

// Standard (2023) decorators, for compilers without the experimental ones. Everything else comes from `toolwright`.
export { Field, Param } from '../decorator/es/Param.js';
export { Prompt } from '../decorator/es/Prompt.js';
export { Reducer } from '../decorator/es/Reducer.js';
export { Section } from '../decorator/es/Section.js';
export { Tool } from '../decorator/es/Tool.js';

// Standard (2023) decorators, for compilers without the experimental ones. Everything else comes from `toolwright`.
export { Field, Param, Prompt, Reducer, Section, Tool } from '../decorator/es/decorators.js';

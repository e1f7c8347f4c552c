import type ts from 'typescript';

/** The compiler, as its package exports it. */
export type Compiler = typeof ts;

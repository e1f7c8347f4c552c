import type { Compiler } from './Compiler.js';
import { swc } from './swc.js';
import { tsc } from './tsc.js';
import { vite } from './vite.js';

/** Every compiler that emits the types of decorated members. */
export const compilers: readonly Compiler[] = [tsc, swc, vite];

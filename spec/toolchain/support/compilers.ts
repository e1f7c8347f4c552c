import type { Compiler } from './Compiler.js';
import { swc } from './swc.js';
import { tsc } from './tsc.js';
import { tsc7 } from './tsc7.js';
import { vite } from './vite.js';

/** Every compiler that emits the types of decorated members. */
export const compilers: readonly Compiler[] = [tsc, tsc7, swc, vite];

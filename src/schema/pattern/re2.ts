import { LatePackage } from '../../common/LatePackage.js';

/** RE2 in JavaScript: 260 kB, which only patterns need. */
export const re2 = new LatePackage('re2js', () => import('re2js'));

/** A pattern that RE2 has compiled. */
export type CompiledPattern = ReturnType<ReturnType<typeof re2.get>['RE2JS']['compile']>;

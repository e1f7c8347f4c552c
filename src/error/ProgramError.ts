import { brand } from '../common/brand.js';
import { PlacedError } from './ToolwrightError.js';

/** A toolkit or sandbox was created or used wrongly, or lacks a dependency. Faults of a program itself are results. */
export class ProgramError extends PlacedError {}
brand(ProgramError, 'ProgramError');

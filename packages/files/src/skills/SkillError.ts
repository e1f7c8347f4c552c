import { brand, PlacedError } from 'toolwright/internal/light';

/** Thrown for a folder that is no valid skill, and for a section that cannot be written as one. */
export class SkillError extends PlacedError {}
brand(SkillError, 'SkillError');

// Skills: folders with a SKILL.md as sections of a prompt, and sections as skills.
export { readSkill } from './readSkill.js';
export type { Skill } from './Skill.js';
export { SkillError } from './SkillError.js';
export { skillSection, type SkillSectionOptions } from './skillSection.js';
export { writeSkills } from './writeSkills.js';

import type { RenderedPrompt } from 'toolwright';
import { stringify } from 'yaml';
import { MAX_SKILL_DESCRIPTION_CHARS } from '../limits.js';
import { isSkillName, parseSkill } from './parseSkill.js';
import type { Skill } from './Skill.js';
import { SkillError } from './SkillError.js';

/**
 * Writes sections of a rendered prompt as skills: each root section with all below it, or the sections of the paths. The name of a skill
 * is its path with hyphens; its description is the declared summary, or else title and first paragraph.
 *
 * @param rendered the prompt with the texts to write: a summarised section is written as its summary
 * @throws SkillError E929 for a path without a section, or a name that no skill may have
 */
export function writeSkills(rendered: RenderedPrompt, paths?: readonly string[]): readonly Skill[] {
  const chosen = paths ?? rendered.sections.map(({ path }) => path).filter((path) => !path.includes('.'));
  const skills = chosen.map((path) => writeSkill(rendered, path));
  const twice = skills.find(({ name }, index) => skills.findIndex((skill) => skill.name === name) !== index);
  if (twice !== undefined) throw createSectionError(twice.name, 'two sections become a skill of this name');
  return skills;
}

function writeSkill(rendered: RenderedPrompt, path: string): Skill {
  const section = rendered.sections.find((each) => each.path === path);
  if (section === undefined) throw createSectionError(path, 'the rendered prompt has no such section');
  const name = path
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  if (!isSkillName(name)) throw createSectionError(path, `${JSON.stringify(name)} is not the name of a skill`);
  const body = `${rendered.textOf(path).trim()}\n`;
  const description = describeSection(rendered, path, section.title, body);
  const text = `---\n${stringify({ name, description }, { lineWidth: 0 })}---\n\n${body}`;
  const bytes = new TextEncoder().encode(text);
  return Object.freeze({ ...parseSkill(bytes, path), files: new Map([['SKILL.md', bytes]]) });
}

/** Returns the declared summary if it has no placeholders, whose values only a summarised rendering has. */
function describeSection({ metadata }: RenderedPrompt, path: string, title: string, body: string): string {
  const summary = metadata.allSections.find((section) => section.path === path)?.summary;
  const declared = summary?.parts.map((part) => ('text' in part ? part.text : undefined)) ?? [undefined];
  const paragraph = body.split('\n\n').find((part) => !part.startsWith('#'));
  const text = declared.includes(undefined) ? [`${title}.`, paragraph ?? ''].join(' ') : declared.join('');
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_SKILL_DESCRIPTION_CHARS);
}

function createSectionError(place: string, problem: string): SkillError {
  return new SkillError(problem, { code: 'E929', place });
}

import { type Constructor, defineSection, defineTool, Param, ToolRefusal } from 'toolwright';
import { joinBounded, quote } from 'toolwright/internal/light';
import { type OptionNames, requireOptionNames } from 'toolwright/internal';
import { MAX_LISTED_SKILL_FILES, MAX_SKILL_PART_CHARS } from '../limits.js';
import { decodeText } from './parseSkill.js';
import { readSkill } from './readSkill.js';
import type { Skill } from './Skill.js';

/** Options of `skillSection`. */
export interface SkillSectionOptions {
  /** `summary`, the default, shows the description until the model opens the section; `full` shows the whole text at once. */
  readonly visibility?: 'summary' | 'full' | undefined;
}

const optionNames: OptionNames<SkillSectionOptions> = { visibility: 1 };

/**
 * Creates a section from a skill: a folder with SKILL.md. Its name becomes key and title, its description the summary, its body the text.
 * One tool reads its other files, scripts included, as text. Nothing is run. The folder is read once, now.
 *
 * @param folder its path; relative paths begin at the working directory
 * @throws SkillError E928 for an invalid skill, PromptError E413 for an unknown option
 * @example
 * \@Prompt({ ns: 'shop', key: 'desk', sections: [Orders, skillSection(join(__dirname, 'skills/refunds'))] })
 */
export function skillSection(folder: string, options: SkillSectionOptions = {}): Constructor {
  requireOptionNames('skillSection', options, optionNames);
  const skill = readSkill(folder);
  const { name, description, body } = skill;
  const paths = [...skill.files.keys()].filter((path) => path !== 'SKILL.md');
  const tool = paths.length === 0 ? undefined : createFileTool(skill);
  const listed = joinBounded(paths, MAX_LISTED_SKILL_FILES);
  const hint = tool === undefined ? '' : `\n\nFiles of this skill, for ${tool.name}: ${listed}`;
  return defineSection({
    key: name,
    title: name,
    template: escapeTemplate(`${body.trim()}${hint}`),
    summary: escapeTemplate(description),
    visibility: options.visibility ?? 'summary',
    tools: tool === undefined ? [] : [tool.declaration],
  });
}

class FileParams {
  @Param('The path of the file in the skill') path!: string;
  @Param({ description: 'The first character to read; 0 for the beginning', optional: true, min: 0 }) offset?: number;
}

/** Creates the tool that reads the files of a skill. It knows only the files that were read, so no path leads out of the folder. */
function createFileTool({ name: skill, files }: Skill) {
  const name = `read_${skill.replaceAll('-', '_').slice(0, 50)}_file`;
  const declaration = defineTool({
    name,
    description: `Read a file of the skill ${skill} as text.`,
    params: FileParams,
    hints: { readOnly: true },
    handler: ({ path, offset = 0 }: FileParams) => {
      const bytes = files.get(path);
      if (bytes === undefined)
        throw new ToolRefusal(
          `The skill has no file ${quote(path, 200)}. It has: ${joinBounded([...files.keys()], MAX_LISTED_SKILL_FILES)}.`,
        );
      const text = decodeText(bytes);
      if (text === undefined) throw new ToolRefusal(`${quote(path, 200)} is not text, so it cannot be read.`);
      return takePart(text, Math.floor(offset));
    },
  });
  return { name, declaration };
}

function takePart(text: string, offset: number): string {
  if (offset >= text.length && offset > 0)
    throw new ToolRefusal(`The file ends at character ${String(text.length)}. Read from an earlier one.`);
  const end = offset + MAX_SKILL_PART_CHARS;
  const part = text.slice(offset, end);
  if (end >= text.length) return part;
  return `${part}\n[${String(text.length - end)} more characters: read on with offset ${String(end)}.]`;
}

/** Writes a text as a template, so that texts such as ${HOME} stay as they are. */
function escapeTemplate(text: string): string {
  return text.replaceAll('$', '$$$$');
}

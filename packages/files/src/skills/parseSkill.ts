import { describeValue, isRecord } from 'toolwright/internal/light';
import { parseDocument } from 'yaml';
import { MAX_FRONT_MATTER_CHARS, MAX_SKILL_DESCRIPTION_CHARS, MAX_SKILL_NAME_CHARS } from '../limits.js';
import type { Skill } from './Skill.js';
import { SkillError } from './SkillError.js';

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const FRONT_MATTER = /^---\n(?<yaml>.*?\n)??---[\t ]*(?:\n|$)(?<body>.*)$/s;

/**
 * Reads a SKILL.md.
 *
 * @param place for messages
 * @throws SkillError E928 if it is not UTF-8, or if its front matter is missing, broken, or lacks a valid name or description
 */
export function parseSkill(bytes: Uint8Array, place: string): Omit<Skill, 'files'> {
  const refuse = (problem: string): SkillError => new SkillError(problem, { code: 'E928', place });
  const text = decodeText(bytes)?.replaceAll('\r\n', '\n');
  if (text === undefined) throw refuse('SKILL.md is not UTF-8');
  const groups = FRONT_MATTER.exec(text)?.groups;
  if (groups === undefined) throw refuse('SKILL.md does not begin with front matter between two lines ---');
  const { yaml = '', body = '' } = groups;
  if (yaml.length > MAX_FRONT_MATTER_CHARS)
    throw refuse(`the front matter has more than ${String(MAX_FRONT_MATTER_CHARS)} characters`);
  const frontMatter = readFrontMatter(yaml, refuse);
  const { name, description } = frontMatter;
  if (!isSkillName(name))
    throw refuse(
      `expected a name of at most ${String(MAX_SKILL_NAME_CHARS)} lowercase letters, digits and single hyphens, got ${describeValue(name)}`,
    );
  if (typeof description !== 'string' || description.trim() === '' || description.length > MAX_SKILL_DESCRIPTION_CHARS)
    throw refuse(
      `expected a description of 1 to ${String(MAX_SKILL_DESCRIPTION_CHARS)} characters, got ${describeValue(description)}`,
    );
  return { name, description, frontMatter, body };
}

export function isSkillName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= MAX_SKILL_NAME_CHARS && NAME.test(name);
}

/** Returns the text of bytes; undefined if they are not UTF-8, or hold NUL characters as binary files do. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function readFrontMatter(yaml: string, refuse: (problem: string) => SkillError): Readonly<Record<string, unknown>> {
  const document = parseDocument(yaml, { version: '1.2', schema: 'core', stringKeys: true, prettyErrors: false });
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    const line = yaml.slice(0, error.pos[0]).split('\n').length + 1;
    throw refuse(`the front matter is not valid YAML, line ${String(line)}: ${error.message}`);
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch {
    throw refuse('the front matter uses aliases of YAML');
  }
  if (!isRecord(value)) throw refuse(`expected front matter with keys and values, got ${describeValue(value)}`);
  return value;
}

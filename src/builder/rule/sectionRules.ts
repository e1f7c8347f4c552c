import { quote } from '../../common/text.js';
import type { Rule, SectionDraft } from '../PromptDraft.js';
import { createSectionFinding, isEmptyText } from './createFindings.js';
import { className } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import { parseToInstance } from '../parseToInstance.js';
import { SectionVisibility } from '../../value/SectionVisibility.js';
import { readHookMember, hooks } from '../readHooks.js';

const LEGAL = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** E302, E303: keys are legal, and unique among siblings; the later sibling is at fault. */
export const checkSectionKeys: Rule = ({ sections, allSections }) => [
  ...allSections
    .filter(({ key }) => !LEGAL.test(key))
    .map((section) =>
      createSectionFinding('E302', section, `the section key ${quote(section.key)} is not legal`, {
        placeholder: section.key,
      }),
    ),
  ...[sections, ...allSections.map(({ children }) => children)].flatMap(findDuplicates),
];

function findDuplicates(siblings: readonly SectionDraft[]): ReturnType<Rule> {
  const first = new Map<string, SectionDraft>();
  return siblings.flatMap((section) => {
    const other = first.get(section.key);
    if (other === undefined) {
      first.set(section.key, section);
      return [];
    }
    return [
      createSectionFinding(
        'E303',
        section,
        `the path "${section.path}" (section ${section.number}) is already that of ${other.type.name} (section ${other.number})`,
      ),
    ];
  });
}

/** E309: defaults fit the params class of the section. */
export const checkSectionDefaults: Rule = ({ allSections }) =>
  allSections.flatMap((section) => {
    const { defaults } = section.options;
    if (defaults === undefined) return [];
    if (!isObject(defaults)) {
      return [createSectionFinding('E309', section, 'its defaults are not an object')];
    }
    if (section.params === null) return [createSectionFinding('E309', section, 'it has defaults, but no params class')];
    const made = parseToInstance(section.params, defaults);
    return made.ok
      ? []
      : [
          createSectionFinding(
            'E309',
            section,
            `its defaults are no ${className(section.params.type)}: ${made.problem}`,
          ),
        ];
  });

/** E311: every section has a title. */
export const checkSectionTitles: Rule = ({ allSections }) =>
  allSections.flatMap((section) => {
    const problem = isEmptyText(section.options.title);
    return problem === undefined ? [] : [createSectionFinding('E311', section, `the title is ${problem}`)];
  });

/** E510: a section with the visibility `summary` has a summary. */
export const checkSectionSummaries: Rule = ({ allSections }) =>
  allSections
    .filter(({ options, summary }) => options.visibility === SectionVisibility.SUMMARY && summary === undefined)
    .map((section) => createSectionFinding('E510', section, 'its visibility is "summary", and it has no summary'));

/** E314: a member with the name of a hook can be called, unless an option replaces it. */
export const checkSectionHooks: Rule = ({ allSections }) =>
  allSections.flatMap((section) =>
    hooks.flatMap((name) => {
      const { problem } = section.options[name] === undefined ? readHookMember(section.type, name) : {};
      return problem === undefined
        ? []
        : [createSectionFinding('E314', section, problem, { member: name, placeholder: name })];
    }),
  );

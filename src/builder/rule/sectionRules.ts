import { quote } from '../../common/text.js';
import type { Rule, SectionDraft } from '../PromptDraft.js';
import { createRepeatFindings, createSectionFinding, isEmptyText } from './createFindings.js';
import { className } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import { parseToInstance } from '../parseToInstance.js';
import { SectionVisibility } from '../../value/SectionVisibility.js';
import { readHookMember, hooks } from '../readHooks.js';

const LEGAL = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Checks that keys are legal (E302) and unique among siblings (E303). The later sibling is reported. */
export const checkSectionKeys: Rule = ({ sections, allSections }) => [
  ...allSections
    .filter(({ key }) => !LEGAL.test(key))
    .map((section) =>
      createSectionFinding('E302', section, `the section key ${quote(section.key)} is not legal`, {
        placeholder: section.key,
      }),
    ),
  ...[sections, ...allSections.map(({ children }) => children)].flatMap((siblings) =>
    createRepeatFindings(
      siblings,
      ({ key }) => key,
      (section, first) =>
        createSectionFinding(
          'E303',
          section,
          `the path "${section.path}" (section ${section.number}) already belongs to ${first.type.name} (section ${first.number})`,
        ),
    ),
  ),
];

/** Checks that defaults match the params class of the section (E309). */
export const checkSectionDefaults: Rule = ({ allSections }) =>
  allSections.flatMap((section) => {
    const { defaults } = section.options;
    if (defaults === undefined) return [];
    const problem = findDefaultsProblem(defaults, section.params);
    return problem === undefined ? [] : [createSectionFinding('E309', section, problem)];
  });

function findDefaultsProblem(defaults: unknown, params: SectionDraft['params']): string | undefined {
  if (!isObject(defaults)) return 'its defaults are not an object';
  if (params === null) return 'it has defaults, but no params class';
  const made = parseToInstance(params, defaults);
  return made.ok ? undefined : `its defaults are not valid ${className(params.type)}: ${made.problem}`;
}

/** Checks that every section has a title (E311). */
export const checkSectionTitles: Rule = ({ allSections }) =>
  allSections.flatMap((section) => {
    const problem = isEmptyText(section.options.title);
    return problem === undefined ? [] : [createSectionFinding('E311', section, `the title is ${problem}`)];
  });

/** Checks that a section with the visibility `summary` has a summary (E510). */
export const checkSectionSummaries: Rule = ({ allSections }) =>
  allSections
    .filter(({ options, summary }) => options.visibility === SectionVisibility.SUMMARY && summary === undefined)
    .map((section) => createSectionFinding('E510', section, 'its visibility is "summary", but it has no summary'));

/** Checks that a member with the name of a hook can be called, unless an option replaces it (E314). */
export const checkSectionHooks: Rule = ({ allSections }) =>
  allSections.flatMap((section) =>
    hooks.flatMap((name) => {
      const { problem } = section.options[name] === undefined ? readHookMember(section.type, name) : {};
      return problem === undefined
        ? []
        : [createSectionFinding('E314', section, problem, { member: name, placeholder: name })];
    }),
  );

/**
 * Checks that a prompt with searchable sections says whether the model may search (E419): without the option, the sections
 * would list their tools as if they were not searchable.
 */
export const checkSearchableSections: Rule = ({ options, allSections }) =>
  options.search !== undefined
    ? []
    : allSections
        .filter((section) => section.options.searchable === true)
        .map((section) =>
          createSectionFinding('E419', section, 'it is searchable, but its prompt has no option search', {
            placeholder: 'search',
          }),
        );

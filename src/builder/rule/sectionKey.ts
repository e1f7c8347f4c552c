import { quote } from '../../common/text.js';
import type { Rule, SectionDraft } from '../PromptDraft.js';
import { sectionFinding } from './toolFinding.js';

const LEGAL = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** E302, E303: keys are legal, and unique among siblings; the later sibling is at fault. */
export const sectionKey: Rule = ({ sections, allSections }) => [
  ...allSections
    .filter(({ key }) => !LEGAL.test(key))
    .map((section) =>
      sectionFinding('E302', section, `the section key ${quote(section.key)} is not legal`, {
        placeholder: section.key,
      }),
    ),
  ...[sections, ...allSections.map(({ children }) => children)].flatMap(duplicates),
];

function duplicates(siblings: readonly SectionDraft[]): ReturnType<Rule> {
  const first = new Map<string, SectionDraft>();
  return siblings.flatMap((section) => {
    const other = first.get(section.key);
    if (other === undefined) {
      first.set(section.key, section);
      return [];
    }
    return [
      sectionFinding(
        'E303',
        section,
        `the path "${section.path}" (section ${section.number}) is already that of ${other.type.name} (section ${other.number})`,
      ),
    ];
  });
}

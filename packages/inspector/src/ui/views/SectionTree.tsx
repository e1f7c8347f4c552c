import type { JSX } from 'preact';
import { formatCount } from '../parts/pieces.js';
import type { DeclaredSection, PromptState, Rendering } from '../types.js';

interface SectionTreeProps {
  readonly declared: readonly DeclaredSection[];
  readonly rendered: Rendering | undefined;
  readonly visibility: PromptState['visibility'];
  readonly current: string | undefined;
  readonly onCurrent: (path: string) => void;
  readonly onVisibility: (visibility: PromptState['visibility']) => void;
}

/** Shows the tree of sections with the tokens and visibility of each. */
export function SectionTree(props: SectionTreeProps): JSX.Element {
  const { declared, rendered, visibility, current, onCurrent, onVisibility } = props;
  const shown = new Map(rendered?.sections.map((section) => [section.path, section]));
  const total = Math.max(1, rendered?.tokens.text ?? 1);
  const openAll = (): void => onVisibility(Object.fromEntries(declared.map(({ path }) => [path, 'full' as const])));
  return (
    <div class="stack">
      <div class="bar">
        <h2>Sections</h2>
        <button type="button" class="bare" onClick={openAll}>
          Open all
        </button>
        <button
          type="button"
          class="bare"
          disabled={Object.keys(visibility).length === 0}
          onClick={() => onVisibility({})}
        >
          As declared
        </button>
      </div>
      <ul>
        {declared.map((section) => (
          <SectionRow
            key={section.path}
            section={section}
            now={shown.get(section.path)}
            total={total}
            absent={explainHidden(section, shown)}
            isCurrent={current === section.path}
            onCurrent={() => onCurrent(section.path)}
            onVisibility={(next) => onVisibility({ ...visibility, [section.path]: next })}
          />
        ))}
      </ul>
    </div>
  );
}

interface SectionRowProps {
  readonly section: DeclaredSection;
  /** The rendered section; undefined if it is not in the text. */
  readonly now: Rendering['sections'][number] | undefined;
  /** The tokens of the whole text. */
  readonly total: number;
  /** The reason why it is not in the text. */
  readonly absent: string;
  readonly isCurrent: boolean;
  readonly onCurrent: () => void;
  readonly onVisibility: (visibility: 'full' | 'summary') => void;
}

function SectionRow(props: SectionRowProps): JSX.Element {
  const { section, now, total, absent, isCurrent, onCurrent, onVisibility } = props;
  const share = Math.round((100 * (now?.tokens ?? 0)) / total);
  return (
    <li
      class={`tree-row ${now === undefined ? 'off' : ''}`}
      style={{ '--depth': String(section.depth) }}
      title={`${section.path}, ${section.owner}, declared ${section.declared}`}
    >
      <button type="button" class="title" aria-current={isCurrent} onClick={onCurrent} disabled={now === undefined}>
        <span class="soft">{section.number}</span> {section.title}
      </button>
      {now === undefined ? (
        <span />
      ) : (
        <button
          type="button"
          class="toggle"
          aria-pressed={now.visibility === 'full'}
          onClick={() => onVisibility(now.visibility === 'summary' ? 'full' : 'summary')}
        >
          <span class="visually-hidden">{section.title}: </span>
          {now.visibility === 'full' ? 'open' : 'summary'}
          {now.visibility !== 'full' && now.opening !== undefined && ` +${formatCount(now.opening)}`}
        </button>
      )}
      <span class="cost soft">
        {now === undefined ? (
          absent
        ) : (
          <>
            <span class="share" aria-hidden="true">
              <i style={{ width: `${String(share)}%` }} />
            </span>
            <span>
              {formatCount(now.tokens)} tokens · {share} %
            </span>
          </>
        )}
      </span>
    </li>
  );
}

/** Explains why a section is not in the text. */
function explainHidden(
  { path, hasHook }: DeclaredSection,
  shown: ReadonlyMap<string, { readonly visibility: string }>,
): string {
  const parent = path.split('.').slice(0, -1).join('.');
  if (shown.get(parent)?.visibility === 'summary') return 'below a summary';
  return hasHook ? 'disabled by its hook' : 'not shown';
}

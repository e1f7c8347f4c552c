import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Copy } from '../parts/pieces.js';
import type { Rendering } from '../types.js';

interface TextProps {
  readonly rendering: Pick<Rendering, 'text'> & {
    readonly sections: readonly {
      readonly path: string;
      readonly visibility: string;
      readonly start: number;
      readonly end: number;
    }[];
  };
  readonly current?: string | undefined;
}

/** Shows the text that the model gets, divided into sections. */
export function PromptText({ rendering, current }: TextProps): JSX.Element {
  const { text, sections } = rendering;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (current !== undefined) box.current?.querySelector('.current')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const lead = text.slice(0, sections[0]?.start ?? text.length);
  const end = sections.at(-1)?.end ?? text.length;
  return (
    <div class="stack">
      <div class="bar">
        <Copy text={text} label="Copy text" />
      </div>
      <div class="card prompt-text mono" ref={box}>
        {lead.trim() !== '' && <section>{lead.trim()}</section>}
        {sections.map((section) => (
          <section key={section.path} class={`${section.visibility} ${section.path === current ? 'current' : ''}`}>
            {text.slice(section.start, section.end)}
          </section>
        ))}
        {text.slice(end).trim() !== '' && <section>{text.slice(end).trim()}</section>}
      </div>
    </div>
  );
}

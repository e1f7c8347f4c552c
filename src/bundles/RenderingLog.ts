import { sha256 } from '../common/builtins.js';
import type { JsonValue } from '../common/types.js';
import type { RenderedView } from '../interface/PromptView.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import type { EntryBuffer } from './EntryBuffer.js';

/** Writes each different rendering of a prompt once, and again before the recording forgets it. */
export class RenderingLog {
  readonly #entries: EntryBuffer;
  readonly #known = new WeakMap<RenderedView, string>();
  /** The `seq` of each rendering, the oldest first. */
  readonly #written = new Map<string, number>();

  constructor(entries: EntryBuffer) {
    this.#entries = entries;
  }

  /** Returns the id of the rendering within the recording. */
  add(prompt: string, view: RenderedView): string {
    this.#forget();
    const known = this.#known.get(view);
    if (known !== undefined && this.#written.has(known)) return known;
    // Views are renderings; this one may be of another copy of the package.
    const rendered = view as unknown as Pick<RenderedPrompt, 'text' | 'tools' | 'sections'>;
    const { text } = rendered;
    const tools = rendered.tools.map(({ name, description, sectionPath, schema, hints }) => ({
      name,
      description,
      schema,
      section: sectionPath,
      hints: hints as JsonValue,
    }));
    const rendering = sha256(JSON.stringify([prompt, text, tools])).slice(0, 12);
    this.#known.set(view, rendering);
    if (this.#written.has(rendering)) return rendering;
    // Only these fields: a rendering of another copy of the package may have others, and a bundle is shared.
    const sections = rendered.sections.map(({ path, number, title, visibility, start, end }) => ({
      path,
      number,
      title,
      visibility,
      start,
      end,
    }));
    const seq = this.#entries.add({ kind: 'rendering', rendering, prompt, text, sections, tools });
    this.#written.set(rendering, seq);
    return rendering;
  }

  #forget(): void {
    for (const [rendering, seq] of this.#written) {
      if (!this.#entries.isFading(seq)) return;
      this.#written.delete(rendering);
    }
  }
}

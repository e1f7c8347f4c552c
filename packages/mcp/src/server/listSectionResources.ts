import type { Resource } from '@modelcontextprotocol/sdk/types.js';
import type { BoundPrompt, RenderedPrompt } from 'toolwright';

export const SECTION_MIME_TYPE = 'text/markdown';

/** Lists the documents of a rendered prompt: one for the whole text, and one for each section. */
export function listSectionResources({ ns, key, name }: BoundPrompt, rendered: RenderedPrompt): readonly Resource[] {
  const whole = {
    uri: uriOf(ns, key),
    name: key,
    title: name,
    description: `The whole text of ${name}.`,
    mimeType: SECTION_MIME_TYPE,
  };
  const sections = rendered.sections.map(({ path, number, title, visibility }) => ({
    uri: uriOf(ns, key, path),
    name: path,
    title,
    description: visibility === 'summary' ? `Section ${number}, as a summary.` : `Section ${number}.`,
    mimeType: SECTION_MIME_TYPE,
  }));
  return [whole, ...sections];
}

/** Returns the text of a URI from `listSectionResources`; undefined for any other URI. */
export function readSectionText({ ns, key }: BoundPrompt, rendered: RenderedPrompt, uri: string): string | undefined {
  if (uri === uriOf(ns, key)) return rendered.text;
  const section = rendered.sections.find(({ path }) => uri === uriOf(ns, key, path));
  return section === undefined ? undefined : rendered.textOf(section.path);
}

/** Says whether a URI belongs to a prompt or to one of its sections. */
export function isSectionUri({ ns, key }: BoundPrompt, uri: unknown): boolean {
  return typeof uri === 'string' && `${uri}/`.startsWith(`${uriOf(ns, key)}/`);
}

function uriOf(...names: readonly string[]): string {
  return `toolwright://${names.map(encodeURIComponent).join('/')}`;
}

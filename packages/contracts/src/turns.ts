import type { ProviderCall, ProviderTurn } from './AdapterKit.js';

/** A call of the tool that notes a text. */
export function note(text: string, id?: string): ProviderCall {
  return { id, name: 'note', arguments: JSON.stringify({ text }) };
}

/** A call that opens a section. */
export function opens(section: string, id: string): ProviderCall {
  return { id, name: 'open_sections', arguments: JSON.stringify({ section_keys: [section], reason: 'to look it up' }) };
}

export function says(text: string): ProviderTurn {
  return { kind: 'answer', text };
}

export function calling(...calls: readonly ProviderCall[]): ProviderTurn {
  return { kind: 'answer', calls };
}

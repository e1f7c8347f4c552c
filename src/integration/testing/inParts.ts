import type { ModelPart, ModelResponse } from '../../interface/ModelAdapter.js';

/** An answer as a model would stream it: its text word by word, then the whole of it. */
export async function* inParts(answer: () => Promise<ModelResponse>): AsyncGenerator<ModelPart, void> {
  const response = await answer();
  for (const text of response.text?.match(/\s*\S+|\s+/g) ?? []) yield { kind: 'text', text };
  yield { kind: 'response', response };
}

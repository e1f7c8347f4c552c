import type { ModelPart, ModelResponse } from '../interface/ModelAdapter.js';

/** Streams an answer as a model would: its text word by word, then the whole response. */
export async function* inParts(answer: () => Promise<ModelResponse>): AsyncGenerator<ModelPart, void> {
  const response = await answer();
  for (const text of response.text?.match(/\s*\S+|\s+/g) ?? []) yield { kind: 'text', text };
  yield { kind: 'response', response };
}

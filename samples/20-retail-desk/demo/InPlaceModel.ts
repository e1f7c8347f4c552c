import type { ModelAdapter, ModelRequest, ModelResponse } from 'toolwright';
import { ScriptedModel, type ScriptedTurn, type ScriptStep } from 'toolwright/testing';

/**
 * Answers from a script. The number of answers in the conversation decides which step is next, so the script can continue at any
 * moment of the conversation, also after a fork. This is not a model: a fork changes only the effects of the calls, and the steps
 * that read results.
 */
export class InPlaceModel implements ModelAdapter {
  readonly name = 'scripted (not a model)';
  readonly #script: readonly ScriptStep[];

  constructor(script: readonly ScriptStep[]) {
    this.#script = script;
  }

  complete(request: ModelRequest): Promise<ModelResponse> {
    const place = request.messages.filter(({ role }) => role === 'assistant').length;
    return new ScriptedModel([withIds(place, this.#turn(place, request))]).complete(request);
  }

  #turn(place: number, request: ModelRequest): ScriptedTurn {
    const step = this.#script[place];
    if (step === undefined) return { text: 'The script ends here; a model would go on.' };
    if (typeof step !== 'function') return step;
    try {
      return step(request);
    } catch {
      return { text: 'The script does not fit what was changed; a model would go on.' };
    }
  }
}

/** Makes the ids of calls unique within a conversation. */
function withIds(place: number, { toolCalls = [], ...turn }: ScriptedTurn): ScriptedTurn {
  const id = (index: number) => `call_${String(place + 1)}_${String(index + 1)}`;
  return { ...turn, toolCalls: toolCalls.map((call, index) => ({ id: id(index), ...call })) };
}

// What calls come to when they run one after the other: two lists of numbers, and nothing of the code that is judged.

export type Key = 'A' | 'B';
export type State = Readonly<Record<Key, readonly number[]>>;

/** One step of a handler; all but `append`, `clear` and `pause` depend on what they read. */
export type Step =
  | { readonly do: 'append' | 'copy' | 'replace'; readonly to: Key; readonly value: number }
  | { readonly do: 'clear' | 'clearIfOdd'; readonly to: Key }
  | { readonly do: 'read'; readonly to: Key }
  | { readonly do: 'pause' }
  | { readonly do: 'call'; readonly call: Call };

export type Ends = 'returns' | 'throws' | 'refuses' | 'returnsFailure';

/** A call of a tool: `retry` may run twice, `look` changes nothing, `slow` hangs after its steps. */
export interface Call {
  readonly id: string;
  readonly tool: 'work' | 'retry' | 'look' | 'slow';
  readonly steps: readonly Step[];
  readonly ends: Ends;
}

/** The outcome of a call, and the values that it reported to have read; a call that hangs reports nothing. */
export interface Answer {
  readonly kind: string;
  readonly told: string;
}

export const EMPTY: State = { A: [], B: [] };

/** The calls in order: what they answer, and what is left. */
export function runInOrder(calls: readonly Call[], from: State): { readonly state: State; readonly answers: Answer[] } {
  let state = from;
  const answers: Answer[] = [];
  for (const call of calls) {
    const ran = runCall(call, state);
    answers.push(ran.answer);
    state = ran.state;
  }
  return { state, answers };
}

/** A call that does not succeed leaves no changes, neither of its own nor of its inner calls. */
function runCall(call: Call, before: State): { readonly state: State; readonly answer: Answer } {
  let state = before;
  const read: unknown[] = [];
  for (const step of call.steps) {
    if (step.do === 'read') read.push(state[step.to]);
    else if (step.do === 'call') {
      const inner = runCall(step.call, state);
      read.push(noted(inner.answer));
      state = inner.state;
    } else state = changed(state, step);
  }
  if (call.tool === 'slow') return { state: before, answer: { kind: 'timed_out', told: '' } };
  const told = JSON.stringify(read);
  if (call.ends !== 'returns') return { state: before, answer: { kind: 'failed', told } };
  return { state, answer: { kind: 'succeeded', told } };
}

/** The note of a handler about a call that it made: a conflict is a failure as well, and neither leaves changes. */
export function noted({ kind, told }: Answer): string {
  if (kind === 'succeeded') return told;
  return kind === 'timed_out' ? kind : 'failed';
}

function changed(state: State, step: Exclude<Step, { readonly do: 'read' | 'call' }>): State {
  if (step.do === 'pause') return state;
  const list = state[step.to];
  const other = state[step.to === 'A' ? 'B' : 'A'];
  switch (step.do) {
    case 'append':
      return { ...state, [step.to]: [...list, step.value] };
    case 'copy':
      return { ...state, [step.to]: [...list, (other.at(-1) ?? 0) + step.value] };
    case 'replace':
      return { ...state, [step.to]: [list.reduce((sum, value) => sum + value, step.value)] };
    case 'clear':
      return { ...state, [step.to]: [] };
    case 'clearIfOdd':
      return list.length % 2 === 1 ? { ...state, [step.to]: [] } : state;
  }
}

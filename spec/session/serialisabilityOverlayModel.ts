// What the steps of a call come to on two plain arrays; nothing of the code that is judged.

export type Key = 'A' | 'B';
export type Step =
  | { readonly do: 'append' | 'seed'; readonly to: Key; readonly value: number }
  | { readonly do: 'read' | 'clear' | 'clearOdd' | 'double'; readonly to: Key }
  | { readonly do: 'addToA'; readonly value: number }
  | { readonly do: 'savepoint'; readonly keep: boolean; readonly steps: readonly Step[] };
export type Model = Record<Key, readonly number[]>;

/** A step of a model: changes it, and says what was read. */
export function onModel(model: Model, step: Step, read: number[][]): Model {
  if (step.do === 'savepoint') {
    let inner = model;
    for (const each of step.steps) inner = onModel(inner, each, read);
    return step.keep ? inner : model;
  }
  if (step.do === 'addToA') return { ...model, A: [...model.A, (model.A.at(-1) ?? 0) + step.value] };
  const list = model[step.to];
  switch (step.do) {
    case 'append':
      return { ...model, [step.to]: [...list, step.value] };
    case 'seed':
      return { ...model, [step.to]: [step.value] };
    case 'clear':
      return { ...model, [step.to]: [] };
    case 'clearOdd':
      return { ...model, [step.to]: list.filter((value) => value % 2 === 0) };
    case 'double':
      return { ...model, [step.to]: list.map((value) => value * 2) };
    case 'read':
      read.push([...list]);
      return model;
  }
}

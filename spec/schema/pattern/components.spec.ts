import fc from 'fast-check';
import { componentsOf } from '../../../src/schema/pattern/components';

const SIZE = 7;

const graphs = fc.array(fc.uniqueArray(fc.nat(SIZE - 1), { maxLength: 3 }), { minLength: SIZE, maxLength: SIZE });

function reachableFrom(graph: readonly (readonly number[])[], state: number): ReadonlySet<number> {
  const reached = new Set([state]);
  for (const known of reached) for (const next of graph[known] ?? []) reached.add(next);
  return reached;
}

test('two states are in one component when each reaches the other', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const components = componentsOf({
        sets: [],
        edges: graph.map((all) => all.map((to) => ({ set: 0, to, ways: 1 }))),
      });
      const reached = graph.map((_, state) => reachableFrom(graph, state));
      for (let one = 0; one < SIZE; one++) {
        for (let other = 0; other < SIZE; other++) {
          const both = reached[one]!.has(other) && reached[other]!.has(one);
          expect(components[one] === components[other]).toBe(both);
        }
      }
    }),
    { numRuns: 500 },
  );
});

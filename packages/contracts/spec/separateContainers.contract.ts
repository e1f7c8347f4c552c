import { createApplication, definePrompt, Section, Tool } from 'toolwright';
import type { ContainerKit } from './container.contract.js';

/** That two containers do not know each other, and that classes carry nothing from one to the other. */
export function separateContainersContract(name: string, open: () => ContainerKit): void {
  describe(`${name}: two of them`, () => {
    test('CONT-12 two containers in one process: instances are not shared, metadata is', async () => {
      const first = open();
      const second = open();
      @first.service()
      class Counter {
        count = 0;
      }
      @Section({ title: 'Counter' })
      class CounterSection {
        constructor(readonly counter: Counter) {}
        @Tool('Counts.') count(): number {
          return ++this.counter.count;
        }
      }
      const desk = definePrompt({ ns: 'support', key: 'desk', sections: [CounterSection] });
      const counts: unknown[] = [];
      for (const { adapter } of [first, second, first]) {
        const app = await createApplication({ prompts: [desk], container: adapter });
        counts.push((await app.invoke(await app.prompt(desk).render(), 'count', {})).result.value);
      }
      expect(counts).toEqual([1, 1, 2]);
      expect(await first.adapter.get(CounterSection)).not.toBe(await second.adapter.get(CounterSection));
      expect(await first.adapter.get(Counter)).not.toBe(await second.adapter.get(Counter));
    });
  });
}

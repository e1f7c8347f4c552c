import { createApplication, definePrompt, defineSection, Tool } from 'toolwright';
import type { ContainerKit } from './container.contract.js';

/** That a class tool can be specialised by a class without any decorator, of which no compiler says anything. */
export function undecoratedSubclassesContract(name: string, open: () => ContainerKit): void {
  describe(`${name}: undecorated subclasses`, () => {
    test('an undecorated subclass of a class tool gets what its constructor takes, and no more', async () => {
      const { adapter, service } = open();
      @service()
      class Repository {
        readonly rows = 3;
      }
      @Tool({ name: 'rows', description: 'Counts.' })
      class RowsTool {
        constructor(readonly repository: Repository) {}
        handle(): number {
          return this.repository.rows;
        }
      }
      @Tool({ name: 'greeting', description: 'Greets.' })
      class GreetingTool {
        constructor(readonly greeting: string) {}
        handle(): string {
          return this.greeting;
        }
      }
      class Inherited extends RowsTool {
        readonly factor = 2;
        override handle(): number {
          return super.handle() * this.factor;
        }
      }
      class Own extends GreetingTool {
        constructor() {
          super('Hello.');
        }
      }
      const section = defineSection({ key: 'desk', title: 'Desk', tools: [Inherited, Own] });
      const desk = definePrompt({ ns: 'support', key: 'desk', sections: [section] });
      const app = await createApplication({ prompts: [desk], container: adapter });
      const rendered = await app.prompt(desk).render();
      expect((await app.invoke(rendered, 'rows', {})).result.value).toBe(6);
      expect((await app.invoke(rendered, 'greeting', {})).result.value).toBe('Hello.');
    });
  });
}

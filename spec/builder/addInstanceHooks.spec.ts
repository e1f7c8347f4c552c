import {
  type BoundPrompt,
  type Constructor,
  createApplication,
  definePrompt,
  type HookInput,
  Param,
  PromptValidationError,
  Section,
} from 'toolwright';
import type { ContainerAdapter } from 'toolwright/adapters';
import { addInstanceHooks } from '../../src/builder/readHooks.js';

class DeskParams {
  @Param('Customer') customer = 'Ada';
}

async function promptOf(section: Constructor, container?: ContainerAdapter): Promise<BoundPrompt> {
  const desk = definePrompt({ ns: 'support', key: 'desk', sections: [section], heading: 'plain' });
  return (await createApplication({ prompts: [desk], container })).prompt(desk);
}

describe('hooks as fields of the instance', () => {
  test('arrow functions are hooks, with params, session and their this', async () => {
    @Section({ title: 'Orders', params: DeskParams })
    class OrdersSection {
      readonly greeting: string = 'Serve';
      enabled = ({ params }: HookInput<DeskParams>): boolean => params.customer !== 'nobody';
      renderBody = async ({ params }: HookInput<DeskParams>): Promise<string> => `${this.greeting} ${params.customer}.`;
    }
    const prompt = await promptOf(OrdersSection);
    expect((await prompt.render()).text).toBe('## Orders\n\nServe Ada.');
    expect((await prompt.bind(DeskParams, { customer: 'nobody' }).render()).text).toBe('');
    expect(await prompt.bind(DeskParams, { customer: 'nobody' }).tools()).toEqual([]);
  });

  test('a boolean field is asked for at each rendering', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      enabled = false;
    }
    const built = new OrdersSection();
    const prompt = await promptOf(OrdersSection, { get: <T>() => built as T });
    expect((await prompt.render()).text).toBe('');
    built.enabled = true;
    expect((await prompt.render()).text).toBe('## Orders');
  });

  test('a field goes before a method of a parent, and an option before both', async () => {
    class Base {
      renderBody(): string {
        return 'by method';
      }
    }
    @Section({ title: 'Orders' })
    class OrdersSection extends Base {
      override renderBody = (): string => 'by field';
    }
    @Section({ title: 'Orders', renderBody: () => 'by option' })
    class RefundsSection extends Base {
      override renderBody = (): string => 'by field';
    }
    expect((await (await promptOf(OrdersSection)).render()).text).toBe('## Orders\n\nby field');
    expect((await (await promptOf(RefundsSection)).render()).text).toBe('## Orders\n\nby option');
  });

  test('an instance of a subclass, as containers return in tests, uses its own methods', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      renderBody(): string {
        return 'real';
      }
    }
    class Double extends OrdersSection {
      override renderBody(): string {
        return 'double';
      }
    }
    const prompt = await promptOf(OrdersSection, { get: <T>() => new Double() as T });
    expect((await prompt.render()).text).toBe('## Orders\n\ndouble');
  });

  test.each<[string, unknown, string]>([
    ['enabled', 'yes', 'enabled is the string "yes"; a hook is a function'],
    ['enabled', { isOn: () => true }, 'enabled is an object; a hook is a function'],
    ['renderBody', 'Hello.', 'renderBody is the string "Hello."; a hook is a function'],
    ['renderBody', true, 'renderBody is the boolean true; a hook is a function'],
  ])('E314: a field %s that holds %p is refused at creation, not ignored', async (name, value, problem) => {
    @Section({ key: 'inner', title: 'Inner' })
    class InnerSection {
      constructor() {
        Object.assign(this, { [name]: value });
      }
    }
    @Section({ title: 'Orders', children: [InnerSection] })
    class OrdersSection {}
    const refusal: unknown = await promptOf(OrdersSection).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PromptValidationError);
    expect(refusal).toMatchObject({
      code: 'E314',
      place: `InnerSection.${name}`,
      sectionPath: 'orders.inner',
      placeholder: name,
      remedy: expect.stringMatching(/option of @Section.*another name/) as unknown,
      findings: [{ className: 'InnerSection', member: name, problem }],
    });
  });

  test('both hooks at once are two findings; an option excuses its field', async () => {
    class Fields {
      constructor() {
        Object.assign(this, { enabled: 'yes', renderBody: 5 });
      }
    }
    const plain = class extends Fields {};
    Section({ title: 'Plain' })(plain);
    await expect(promptOf(plain)).rejects.toMatchObject({
      findings: [{ member: 'enabled' }, { member: 'renderBody' }],
    });
    const withOptions = class extends Fields {};
    Section({ title: 'Options', enabled: true, renderBody: () => 'Body.' })(withOptions);
    expect((await (await promptOf(withOptions)).render()).text).toBe('## Options\n\nBody.');
  });

  test('without hooks as fields, the metadata stays the same object', async () => {
    @Section({ title: 'Orders', template: 'Look up.' })
    class OrdersSection {
      enabled(): boolean {
        return true;
      }
    }
    const [section] = (await promptOf(OrdersSection)).metadata.allSections;
    expect(addInstanceHooks(section!, new OrdersSection())).toBe(section);
    expect(addInstanceHooks(section!, Object.create(null) as object)).toBe(section);
    expect(addInstanceHooks(section!, { enabled: () => false })).not.toBe(section);
  });
});

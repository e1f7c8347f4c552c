import { Container, Inject, Service } from 'typedi';
import {
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  Param,
  PromptValidationError,
  Section,
  Tool,
} from 'toolwright';
import { type ContainerAdapter, fromTypedi } from 'toolwright/adapters';
import type { ParamsData } from 'toolwright/types';
import { sectionWith } from '../../src/decorator/sectionWith.js';
import { refusalOf } from '../builder/refusalOf.js';

class PlanParams {
  @Param('Strategy') strategy = 'react';
  @Param({ description: 'Steps', integer: true, min: 1 }) steps = 3;
}

async function boot(sections: readonly (Constructor | (() => Constructor))[], container?: ContainerAdapter) {
  const desk = definePrompt({ ns: 'support', key: 'desk', sections, heading: 'numbered-path' });
  const app = await createApplication({ prompts: [desk], container });
  return { app, prompt: app.prompt(desk) };
}

describe('sectionWith', () => {
  test('sectionWith returns the section with these params: key, text, hooks and tools are its own', async () => {
    @Section({ title: 'Plan', params: PlanParams, template: '${strategy} in ${steps}.' })
    class PlanningSection {
      static with(params: ParamsData<PlanParams>): Constructor {
        return sectionWith(PlanningSection, params);
      }
      enabled(): boolean {
        return true;
      }
      @Tool('Plans.') plan(): string {
        return 'planned';
      }
    }
    const { app, prompt } = await boot([PlanningSection.with({ strategy: 'reflect' })]);
    const rendered = await prompt.render();
    expect(rendered.text).toBe('## 1. Plan (planning)\n\nreflect in 3.');
    expect((await app.invoke(rendered, 'plan', {})).text).toBe('planned');
    expect(rendered.tools[0]?.metadata.place).toBe('PlanningSection.plan');
  });

  test('the class itself keeps its own defaults; what is bound goes before both', async () => {
    @Section({
      key: 'plan',
      title: 'Plan',
      params: PlanParams,
      defaults: { steps: 5 },
      template: '${strategy} ${steps}',
    })
    class PlanningSection {}
    const given = sectionWith(PlanningSection, Object.assign(new PlanParams(), { strategy: 'reflect', steps: 1 }));
    const text = async (section: Constructor) => (await (await boot([section])).prompt.render()).text;
    expect(await text(given)).toContain('reflect 1');
    expect(await text(PlanningSection)).toContain('react 5');
    const { prompt } = await boot([given]);
    expect((await prompt.bind(PlanParams, { steps: 9 }).render()).text).toContain('react 9');
  });

  test('one class may be listed at several places, each with params and an instance of its own', async () => {
    @Section({ key: 'plan', title: 'Plan', params: PlanParams, template: '${strategy}' })
    class PlanningSection {}
    const left = defineSection({
      key: 'left',
      title: 'Left',
      children: [sectionWith(PlanningSection, { strategy: 'a' })],
    });
    const right = defineSection({
      key: 'right',
      title: 'Right',
      children: [() => sectionWith(PlanningSection, { strategy: 'b' })],
    });
    const { prompt } = await boot([left, right]);
    const { text } = await prompt.render();
    expect(text).toMatch(/\(left\.plan\)\n\na\n[^]*\(right\.plan\)\n\nb$/);
    const [first, second] = prompt.roots.flatMap(({ children }) => children.map(({ instance }) => instance));
    expect(first).toBeInstanceOf(PlanningSection);
    expect(first).not.toBe(second);
  });

  test.each<[string, () => ContainerAdapter | undefined]>([
    ['the plain container', () => undefined],
    ['typedi', () => fromTypedi(Container, { id: 'section with' })],
  ])('%s provides it what its class needs', async (_name, container) => {
    @Service()
    class Clock {
      readonly zone = 'Berlin';
    }
    @Section({ title: 'Plan', params: PlanParams })
    class PlanningSection {
      constructor(readonly clock: Clock) {}
      @Tool('Tells.') zone(): string {
        return this.clock.zone;
      }
    }
    const { app, prompt } = await boot([sectionWith(PlanningSection, {})], container());
    expect((await app.invoke(await prompt.render(), 'zone', {})).text).toBe('Berlin');
  });

  test('typedi injects what @Inject asks for', async () => {
    Container.set('zone', 'Ulm');
    @Section({ title: 'Plan', params: PlanParams })
    class PlanningSection {
      constructor(@Inject('zone') readonly zone: string) {}
      @Tool('Tells.') tell(): string {
        return this.zone;
      }
    }
    const { app, prompt } = await boot([sectionWith(PlanningSection, {})], fromTypedi(Container));
    expect((await app.invoke(await prompt.render(), 'tell', {})).text).toBe('Ulm');
  });

  test('sectionWith takes sections of defineSection, and sections that were given params before', async () => {
    const defined = defineSection({ key: 'plan', title: 'Plan', params: PlanParams, template: '${strategy}' });
    const twice = sectionWith(sectionWith(defined, { strategy: 'a' }), { strategy: 'b' });
    expect((await (await boot([twice])).prompt.render()).text).toBe('## 1. Plan (plan)\n\nb');
  });

  test('E309: params that do not fit are found at creation', async () => {
    @Section({ title: 'Plan', params: PlanParams })
    class PlanningSection {}
    @Section({ title: 'Free' })
    class FreeSection {}
    class Other {}
    const sections = [
      sectionWith(PlanningSection, { stratgy: 'x' }),
      defineSection({ key: 'a', title: 'A', children: [sectionWith(PlanningSection, new Other())] }),
      defineSection({ key: 'b', title: 'B', children: [sectionWith(PlanningSection, { steps: 0 })] }),
      sectionWith(FreeSection, { strategy: 'x' }),
      defineSection({ key: 'c', title: 'C', children: [sectionWith(PlanningSection, undefined as never)] }),
    ];
    const { findings } = await refusalOf(...sections);
    expect(findings.map(({ code, sectionPath }) => `${code} ${String(sectionPath)}`)).toEqual([
      'E309 planning',
      'E309 a.planning',
      'E309 b.planning',
      'E309 free',
    ]);
    expect(findings[0]?.problem).toContain('Did you mean "strategy"');
    expect(findings[1]?.problem).toContain('Other');
  });

  test.each<[string, unknown, string, RegExp]>([
    ['a class without @Section', class Plain {}, 'E301', /sectionWith\(Plain\)/],
    ['undefined, as circular files see it', undefined, 'E307', /third file/],
    ['an instance', {}, 'E307', /sectionWith\(\)/],
  ])('%s is refused at once', (_case, type, code, message) => {
    const call = () => sectionWith(type as never, {});
    expect(call).toThrow(PromptValidationError);
    expect(call).toThrow(expect.objectContaining({ code }) as Error);
    expect(call).toThrow(message);
  });
});

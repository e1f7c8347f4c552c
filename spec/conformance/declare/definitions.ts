import {
  type Constructor,
  definePrompt,
  defineSection,
  defineTool,
  type HookInput,
  type SectionOptions,
  type SectionVisibility,
  Tool,
  type ToolExample,
} from 'toolwright';
import { PlanningSection, WorkspaceSection } from 'toolwright/sections';
import type { OutputReference, TypeReference } from 'toolwright/types';
import { unknownWord } from '../ConformanceFault';
import type { AnySectionSpec, EnabledSpec, PromptSpec, ToolSpec, VisibilitySpec } from '../format';
import { compileHandler, type World } from './compileHandler';
import { feedbackOf } from './feedbackOf';
import { policyOf } from './policyOf';

/** The prompt of a case as a definition of the framework. */
export function promptOf(
  { ns, key, name, sections, policies = [], feedback = [], output, allow_extra_keys: allowExtraKeys }: PromptSpec,
  world: World,
): Constructor {
  return definePrompt({
    ns,
    key,
    name,
    sections: sections.map((section) => sectionOf(section, world)),
    disclosure: 'auto',
    policies: policies.map(policyOf),
    feedback: feedback.map(feedbackOf),
    output: output === undefined ? undefined : outputOf(output, world),
    allowExtraKeys,
  });
}

function outputOf({ type, container }: NonNullable<PromptSpec['output']>, { types }: World): OutputReference {
  return container === 'array' ? { array: types.classOf(type) } : types.classOf(type);
}

/** The files that the sections of a prompt bring along. */
export function filesOf(sections: readonly AnySectionSpec[]): Readonly<Record<string, string>> {
  const files = sections.map((section) => {
    if (section.kind === 'vfs') return section.files ?? {};
    return section.kind === undefined ? filesOf(section.children ?? []) : {};
  });
  return Object.assign({}, ...files) as Record<string, string>;
}

function sectionOf(section: AnySectionSpec, world: World): Constructor {
  if (section.kind === 'vfs') return WorkspaceSection;
  if (section.kind === 'planning')
    return section.strategy === undefined ? PlanningSection : PlanningSection.with({ strategy: section.strategy });
  const { types } = world;
  const params = section.params ?? undefined;
  const { default_params: defaults, default_params_type: defaultsType } = section;
  return defineSection({
    key: section.key,
    title: section.title,
    template: section.template ?? undefined,
    params: params === undefined ? undefined : types.classOf(params),
    // Defaults of another class are instances of it; those of the section's own stay plain, as users write them.
    defaults: defaultsType === undefined ? (defaults ?? undefined) : types.instance(defaultsType, defaults),
    summary: section.summary ?? undefined,
    visibility: visibilityOf(section.visibility, world),
    enabled: enabledOf(section.enabled, world),
    tools: (section.tools ?? []).map((tool) => toolOf(tool, world)),
    children: (section.children ?? []).map((child) => sectionOf(child, world)),
    policies: section.policies?.map(policyOf),
    acceptsOverrides: section.accepts_overrides,
  });
}

function enabledOf(
  spec: EnabledSpec | null | undefined,
  { types }: World,
): boolean | ((input: HookInput) => boolean) | undefined {
  if (spec === undefined || spec === null) return undefined;
  if (typeof spec === 'boolean') return spec;
  if ('param' in spec) return ({ params }) => (params as Readonly<Record<string, unknown>>)[spec.param] === spec.equals;
  if ('session_has' in spec) {
    const type = types.classOf(spec.session_has);
    return ({ session }) => session.slice(type).latest() !== undefined;
  }
  if ('throws' in spec) {
    return () => {
      throw new TypeError(spec.throws);
    };
  }
  throw unknownWord('enabled', spec);
}

function visibilityOf(spec: VisibilitySpec | null | undefined, { types }: World): SectionOptions['visibility'] {
  if (spec === undefined || spec === null || typeof spec === 'string') return spec ?? undefined;
  if ('returns' in spec) return () => spec.returns as SectionVisibility;
  if ('param' in spec)
    return ({ params }) =>
      (params as Readonly<Record<string, unknown>>)[spec.param] === spec.equals ? spec.then : spec.else;
  if ('session_has' in spec) {
    const type = types.classOf(spec.session_has);
    return ({ session }) => (session.slice(type).latest() === undefined ? spec.else : spec.then);
  }
  throw unknownWord('visibility', spec);
}

export function toolOf(tool: ToolSpec, world: World): Constructor {
  const { types } = world;
  const { handler } = tool;
  const params = typeof tool.params === 'string' ? types.classOf(tool.params) : undefined;
  const options = {
    name: tool.name,
    description: tool.description,
    params,
    // The compiler cannot end the search for the value's type when the reference is known only at run time.
    result: resultOf(tool, world) as undefined,
    examples: tool.examples?.map(({ description, input, output }): ToolExample => ({
      description,
      input: types.value(input ?? null),
      output: types.value(output ?? null),
    })),
    acceptsOverrides: tool.accepts_overrides,
  };
  if (handler === 'bad_signature') return withBadSignature(Tool(options), params);
  return defineTool({ ...options, handler: Array.isArray(handler) ? compileHandler(handler, world) : null });
}

function resultOf({ result, result_array }: ToolSpec, { types }: World): TypeReference | undefined {
  if (typeof result !== 'string') return undefined;
  const type = types.classOf(result);
  return result_array === true ? { array: type } : type;
}

/** A class whose handler has something else where the context belongs; the compiler would refuse to decorate it. */
function withBadSignature(decorate: unknown, params: Constructor | undefined): Constructor {
  class BadSignature {
    handle(_params: unknown, _limit: number): string {
      return 'never called';
    }
  }
  Reflect.defineMetadata('design:paramtypes', [params ?? Object, Number], BadSignature.prototype, 'handle');
  (decorate as (type: Constructor) => void)(BadSignature);
  return BadSignature;
}

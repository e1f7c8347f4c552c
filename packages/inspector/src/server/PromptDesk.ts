import { getApplicationParts } from 'toolwright/internal';
import type { Application, BoundPrompt, RenderedPrompt, SectionVisibility, Session } from 'toolwright';
import { dump, schemaOf } from 'toolwright/schema';
import { rehearse, rehearses, toolFindings } from 'toolwright/own-loop';
import { InspectorError, convertErrors } from './InspectorError.js';
import { toPlain } from './sendAnswers.js';
import { textOf } from './readBody.js';
import { approximateTokens, type TokenEstimator } from 'toolwright/adapters';

type Body = Readonly<Record<string, unknown>>;

/** The dialects that the Tools view shows. */
const TARGETS = ['json-schema', 'openai', 'anthropic', 'gemini', 'mcp'] as const;

/** Renders the prompts of an application for the page, and rehearses their tools. */
export class PromptDesk {
  readonly #app: Application;
  readonly #prompts: readonly BoundPrompt[];
  readonly #newSession: () => Session;
  readonly #tokens: TokenCount;

  constructor(
    app: Application,
    options: {
      readonly newSession: () => Session;
      readonly tokens: TokenCount;
      readonly prompts: readonly BoundPrompt[];
    },
  ) {
    this.#app = app;
    this.#tokens = options.tokens;
    this.#newSession = options.newSession;
    const all = [...getApplicationParts(app).prompts.values()];
    // Prompts with bound params replace their declarations.
    this.#prompts = all.map((prompt) => options.prompts.find((bound) => idOf(bound) === idOf(prompt)) ?? prompt);
  }

  /** Lists the prompts with the values that may be edited. */
  list(): readonly object[] {
    return this.#prompts.map((prompt) => ({
      id: idOf(prompt),
      name: prompt.name,
      sections: prompt.metadata.allSections.map(({ path, number, title, depth, type, visibility, enabled, tools }) => ({
        path,
        number,
        title,
        depth,
        owner: type.name,
        declared: typeof visibility === 'string' ? visibility : visibility === undefined ? 'full' : 'by a hook',
        hasHook: enabled !== undefined,
        tools: tools.map(({ name }) => name),
      })),
      params: paramsOf(prompt).map(({ type, sections, values }) => ({
        name: type.name,
        sections,
        values,
        schema: schemaOf(type),
      })),
    }));
  }

  /** Renders a prompt with the values and visibilities of the page. @throws InspectorError 404, 422 */
  async render(body: Body): Promise<object> {
    const rendered = await this.#renderPrompt(body);
    const { count, label } = this.#tokens;
    const total = count(rendered.text);
    const costs = await rendered.openingCosts(this.#newSession()).catch(() => []);
    const schemas = rendered.toolSchemas('json-schema');
    return {
      text: rendered.text,
      fingerprint: rendered.fingerprint,
      tokens: { label, text: total, tools: schemas.reduce((sum, tool) => sum + count(JSON.stringify(tool)), 0) },
      sections: rendered.sections.map(({ path, number, title, visibility, start, end }) => ({
        path,
        number,
        title,
        visibility,
        start,
        end,
        tokens: count(rendered.text.slice(start, end)),
        opening: costs.find((cost) => cost.path === path)?.total,
      })),
      tools: rendered.tools.map((tool, index) => ({
        name: tool.name,
        section: tool.sectionPath,
        description: tool.description.slice(0, 200),
        tokens: count(JSON.stringify(schemas[index])),
        findings: toolFindings(tool.metadata).length,
        rehearses: rehearses(rendered, tool.name) ?? null,
      })),
    };
  }

  /** Returns the request that a provider would get. @throws InspectorError */
  async previewRequest(body: Body): Promise<object> {
    const target = targetOf(body);
    const rendered = await this.#renderPrompt(body);
    const tools = rendered.toolSchemas(target, { strict: body['strict'] === true });
    return { system: rendered.text, tools: tools.map(({ losses: _losses, ...tool }) => tool) };
  }

  /** Describes one tool completely. @throws InspectorError */
  async tool(body: Body): Promise<object> {
    const rendered = await this.#renderPrompt(body);
    const name = textOf(body, 'tool');
    const tool = rendered.tool(name);
    if (tool === undefined) throw new InspectorError(404, 'this rendering offers no such tool', name);
    return {
      name,
      description: tool.description,
      section: tool.sectionPath,
      schema: tool.schema,
      hints: tool.hints,
      rehearses: rehearses(rendered, name) ?? null,
      findings: toolFindings(tool.metadata),
      examples: tool.examples.map((example) => dump(example)),
      targets: TARGETS.map((target) => {
        const { parameters, strict, losses } = tool.schemaFor(target, { strict: true });
        return { target, parameters, strict, losses, tokens: this.#tokens.count(JSON.stringify(parameters)) };
      }),
    };
  }

  /** Rehearses a call: runs it and rolls it back. @throws InspectorError 404, 422 */
  async rehearse(body: Body): Promise<object> {
    const rendered = await this.#renderPrompt(body);
    const name = textOf(body, 'tool');
    const call = { id: 'rehearsal', name, arguments: textOf(body, 'arguments') };
    const began = performance.now();
    const { ran, outcome, changed } = await convertErrors(
      rehearse(this.#app, rendered, call, { session: this.#newSession() }),
    );
    const { kind, text, result } = outcome;
    const durationMs = performance.now() - began;
    return { ran, kind, text, durationMs, value: toPlain(result.value), changed: toPlain(changed) };
  }

  async #renderPrompt(body: Body): Promise<RenderedPrompt> {
    const id = textOf(body, 'prompt');
    const prompt = this.#prompts.find((each) => idOf(each) === id);
    if (prompt === undefined) throw new InspectorError(404, 'the application has no such prompt', id);
    const values = (body['params'] ?? {}) as Readonly<Record<string, object>>;
    const visibilityOverrides = (body['visibility'] ?? {}) as Readonly<Record<string, SectionVisibility>>;
    const render = (): Promise<RenderedPrompt> => {
      const bound = paramsOf(prompt).reduce((each, { type }) => {
        const given = Object.hasOwn(values, type.name) ? values[type.name] : undefined;
        return given === undefined ? each : each.bind(type, given);
      }, prompt);
      return bound.render({ session: this.#newSession(), visibilityOverrides });
    };
    return convertErrors(render);
  }
}

function paramsOf(prompt: BoundPrompt) {
  const types = new Map<string, { type: new (...args: never[]) => object; sections: string[]; values: unknown }>();
  for (const section of prompt.metadata.allSections) {
    const { params, path } = section;
    if (params === null) continue;
    const type = params.type;
    const known = types.get(type.name);
    if (known !== undefined) known.sections.push(path);
    else types.set(type.name, { type, sections: [path], values: valuesFor(prompt, section) });
  }
  return [...types.values()];
}

function valuesFor(prompt: BoundPrompt, section: BoundPrompt['metadata']['allSections'][number]): unknown {
  try {
    return dump(prompt.params.paramsOf(section));
  } catch {
    return {};
  }
}

function targetOf(body: Body): (typeof TARGETS)[number] {
  const target = TARGETS.find((each) => each === body['target']);
  if (target === undefined) throw new InspectorError(400, `expected one of ${TARGETS.join(', ')}`, 'target');
  return target;
}

function idOf({ ns, key }: BoundPrompt): string {
  return `${ns}/${key}`;
}

/** A token counter and a label that says how exact it is. */
export interface TokenCount {
  readonly count: TokenEstimator;
  /** The text that people read, such as `o200k estimate`. */
  readonly label: string;
}

/** Loads gpt-tokenizer if it is installed; otherwise tokens are estimated by the length of a text. */
export async function loadTokenCount(): Promise<TokenCount> {
  try {
    const { gptTokens } = await import('@toolwright/openai/tokens');
    return { count: gptTokens(), label: 'o200k estimate' };
  } catch {
    return { count: approximateTokens, label: 'estimate by length' };
  }
}

import { unknownWord } from './ConformanceFault';
import { isJson, type ConformanceCase, type Json } from './format';
import { standingOf, type WordKind } from './vocabulary';

/**
 * Reads a case keyword by keyword before anything of it runs: an unknown keyword inside a handler would otherwise look like a
 * failure of the tool.
 *
 * @returns the parts that the case waits for, each once; empty when it can run
 * @throws ConformanceFault C3
 */
export function laterNeedsOf({ kind, input }: ConformanceCase): readonly string[] {
  const reader = new WordReader(isJson(input['types']) ? Object.keys(input['types']) : []);
  reader.word('kind', kind);
  // What a kind that waits says is not known yet.
  if (reader.needs.size > 0) return [...reader.needs];
  reader.words(`${kind} input` as WordKind, input);
  reader.types(input['types']);
  reader.values(input);
  reader.session(input['session']);
  switch (kind) {
    case 'flow':
      reader.flow(input);
      break;
    case 'loop':
      reader.flow(input);
      for (const step of list(input['script'])) reader.words('script', step);
      if (isJson(input['budget'])) reader.words('budget', input['budget']);
      break;
    case 'budget':
      if (isJson(input['budget'])) reader.words('budget', input['budget']);
      for (const op of list(input['ops'])) reader.words('budget op', op);
      break;
    case 'tool':
      reader.tool(input['tool']);
      break;
    case 'session':
      for (const op of list(input['ops'])) reader.op(op);
      break;
    case 'output':
      reader.flow(input);
      break;
    case 'completion':
      reader.checker(input['checker']);
      break;
    case 'resources':
      for (const binding of list(input['bindings'])) reader.binding(binding);
      for (const op of list(input['ops'])) reader.resourceOp(op);
      break;
    case 'fs':
      for (const op of list(input['ops'])) reader.fsOp(op);
      break;
    case 'parse':
    case 'schema':
      reader.recordName(input['type']);
      if (typeof input['extra'] === 'string') reader.word('extra', input['extra']);
  }
  return [...reader.needs];
}

class WordReader {
  readonly needs = new Set<string>();
  readonly #types: ReadonlySet<string>;

  constructor(types: readonly string[]) {
    this.#types = new Set(types);
  }

  word(kind: WordKind, word: string): void {
    const standing = standingOf(kind, word);
    if (standing === undefined) throw unknownWord(kind, word);
    if (standing !== null) this.needs.add(standing);
  }

  words(kind: WordKind, object: Json): void {
    for (const word of Object.keys(object)) this.word(kind, word);
  }

  types(specs: unknown): void {
    for (const record of Object.values(isJson(specs) ? specs : {})) {
      if (!isJson(record)) throw unknownWord('record', record);
      this.words('record', record);
      for (const field of list(record['fields'])) {
        this.words('field', field);
        this.type(field['type']);
        if (isJson(field['meta'])) this.words('meta', field['meta']);
      }
    }
  }

  /** The records that values name, at any depth. */
  values(data: unknown): void {
    if (typeof data !== 'object' || data === null) return;
    if ('$type' in data) this.recordName(data.$type);
    for (const entry of Object.values(data)) this.values(entry);
  }

  type(type: unknown): void {
    if (!isJson(type)) {
      this.word('type', String(type));
      return;
    }
    const [word = '', inner] = Object.entries(type)[0] ?? [];
    this.word('type', word);
    if (word === 'ref') this.recordName(inner);
    else if (word === 'union') for (const option of inner as readonly unknown[]) this.type(option);
    else if (word !== 'literal' && word !== 'enum') this.type(inner);
  }

  session(session: unknown): void {
    if (!isJson(session)) return;
    this.words('session', session);
    for (const name of Object.keys(isJson(session['seed']) ? session['seed'] : {})) this.#slice(name);
    for (const registered of list(session['reducers'])) {
      this.words('reducer option', registered);
      this.recordName(registered['slice']);
      if (registered['on'] !== undefined) this.recordName(registered['on']);
      const { reducer } = registered;
      for (const word of isJson(reducer) ? Object.keys(reducer) : [String(reducer)]) this.word('reducer', word);
    }
  }

  flow(input: Json): void {
    const { prompt, observe } = input;
    if (!isJson(prompt)) throw unknownWord('prompt', prompt);
    this.words('prompt', prompt);
    for (const section of list(prompt['sections'])) this.section(section);
    for (const policy of list(prompt['policies'])) this.policy(policy);
    for (const provider of list(prompt['feedback'])) this.feedback(provider);
    if (isJson(prompt['output'])) this.output(prompt['output']);
    if (isJson(input['overrides'])) this.overrides(input['overrides']);
    if (isJson(observe)) {
      this.words('observe', observe);
      for (const name of (observe['session'] ?? []) as readonly string[]) this.#slice(name);
    }
    for (const step of list(input['steps'])) this.words('step', step);
  }

  overrides(overrides: Json): void {
    this.words('overrides', overrides);
    for (const [kind, word] of [
      ['sections', 'section override'],
      ['tools', 'tool override'],
    ] as const) {
      const entries = isJson(overrides[kind]) ? Object.values(overrides[kind]) : [];
      for (const entry of list(entries)) this.words(word, entry);
    }
  }

  policy(policy: Json): void {
    this.words('policy', policy);
    if (isJson(policy['read_before_write'])) this.words('read-before-write policy', policy['read_before_write']);
  }

  feedback(provider: Json): void {
    this.words('feedback', provider);
    if (isJson(provider['deadline'])) this.words('deadline feedback', provider['deadline']);
    if (isJson(provider['trigger'])) this.words('trigger', provider['trigger']);
  }

  output(output: Json): void {
    this.words('output', output);
    this.recordName(output['type']);
    this.word('output container', String(output['container']));
  }

  checker(checker: unknown): void {
    if (!isJson(checker)) throw unknownWord('checker', checker);
    this.words('checker', checker);
    for (const part of list(checker['composite'])) this.checker(part);
  }

  op(op: Json): void {
    this.word('op', String(op['op']));
    // What an operation that waits takes is not known yet.
    if (standingOf('op', String(op['op'])) === null) this.words('op field', op);
    if (typeof op['slice'] === 'string') this.#slice(op['slice']);
  }

  binding(binding: Json): void {
    this.words('binding', binding);
    if (typeof binding['scope'] === 'string') this.word('resource scope', binding['scope']);
  }

  resourceOp(op: Json): void {
    this.words('resource op', op);
    for (const inner of list(op['tool_scope'])) this.resourceOp(inner);
  }

  fsOp(op: Json): void {
    this.word('fs op', String(op['op']));
    this.words('fs op field', op);
    if (op['mode'] !== undefined) this.word('write mode', op['mode'] as string);
  }

  section(section: Json): void {
    if (typeof section['kind'] === 'string') {
      this.#readyMade(section, section['kind']);
      return;
    }
    this.words('section', section);
    if (typeof section['params'] === 'string') this.recordName(section['params']);
    if (isJson(section['enabled'])) this.words('enabled', section['enabled']);
    if (isJson(section['visibility'])) this.words('visibility', section['visibility']);
    for (const policy of list(section['policies'])) this.policy(policy);
    for (const tool of list(section['tools'])) this.tool(tool);
    for (const child of list(section['children'])) this.section(child);
  }

  tool(tool: unknown): void {
    if (!isJson(tool)) throw unknownWord('tool', tool);
    this.words('tool', tool);
    for (const type of [tool['params'], tool['result']]) if (typeof type === 'string') this.recordName(type);
    const { handler } = tool;
    if (typeof handler === 'string') this.word('handler', handler);
    for (const step of Array.isArray(handler) ? list(handler) : []) {
      this.word('do', String(step['do']));
      if (step['do'] === 'throw') this.word('throw', String(step['error']));
      if (step['do'] === 'session.append') this.#slice(String(step['slice']));
    }
    for (const example of list(tool['examples'])) this.words('example', example);
  }

  #readyMade(section: Json, kind: string): void {
    this.word('section kind', kind);
    this.words(`${kind} section` as WordKind, section);
    if (typeof section['strategy'] === 'string') this.word('strategy', section['strategy']);
  }

  #slice(name: string): void {
    if (!this.#types.has(name)) this.word('slice', name);
  }

  recordName(name: unknown): void {
    if (!this.#types.has(String(name)) && standingOf('ready-made type', String(name)) === undefined)
      throw unknownWord('type', name);
  }
}

function list(value: unknown): readonly Json[] {
  return ((value ?? []) as readonly unknown[]).map((entry) => {
    if (!isJson(entry)) throw unknownWord('entry', entry);
    return entry;
  });
}

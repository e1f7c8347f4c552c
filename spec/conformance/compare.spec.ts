import 'reflect-metadata';
import { differencesOf } from './compare/compareOutcome';
import { normalText } from './compare/normalText';
import type { ConformanceCase, Outcome } from './format';

const expected = {
  steps: [
    { text: '## 1. A (a)\n\nx', tools: ['echo', 'noop'] },
    {
      results: [
        {
          success: true,
          message: 'OK',
          value: { $type: 'R', a: 1, b: null },
          tool_message: 'OK\n\n{"a": 1, "l": [1, 2]}',
        },
      ],
    },
    { error: { class: 'PromptEvaluationError', phase: 'tool', stage: 'dispatch' }, completed: [{ success: true }] },
    {
      error: {
        class: 'PromptRenderError',
        section_path: ['a', 'b'],
        placeholder: 'x',
        params_type: 'P',
        stage: 'render',
      },
    },
  ],
  final: {
    session: { Note: [{ $type: 'Note', text: 'n' }], PolicyState: [{ never: 'compared' }] },
    files: { 'keep.txt': 'v1' },
    events: [{ event: 'ToolInvoked', name: 'echo', success: true, params: { $type: 'P', times: 1 } }],
  },
};

const good = {
  steps: [
    { text: '## 1. A (a)\n\nx', tools: ['echo', 'noop'] },
    {
      results: [{ success: true, message: 'OK', value: { $type: 'R', a: 1 }, tool_message: 'OK\n\n{"l":[1,2],"a":1}' }],
    },
    {
      error: { class: 'PromptEvaluationError', phase: 'tool', stage: 'dispatch', code: 'E601' },
      completed: [{ success: true, message: 'm' }],
    },
    { error: { class: 'PromptRenderError', section_path: 'a.b', placeholder: 'x', params_type: 'P', stage: 'render' } },
  ],
  final: {
    session: { Note: [{ $type: 'Note', text: 'n' }], Other: [] },
    files: { 'keep.txt': 'v1' },
    events: [{ event: 'ToolInvoked', name: 'echo', success: true, params: { $type: 'P', times: 1 }, message: 'm' }],
  },
};

const flow: ConformanceCase = { id: 'x-1', area: 'dispatch', kind: 'flow', what: 'a case', input: {}, expected };

/** The good outcome with the value at the path replaced; `undefined` takes the field away, and lists are extended at their end. */
function withChange(path: string, value: unknown): Outcome {
  const copy = structuredClone(good) as unknown;
  const keys = path.split('/');
  const last = keys.pop() ?? '';
  let target = copy as Record<string, unknown>;
  for (const key of keys) target = target[key] as Record<string, unknown>;
  if (value === undefined && Array.isArray(target)) target.splice(Number(last), 1);
  else if (value === undefined) Reflect.deleteProperty(target, last);
  else target[last] = value;
  return copy as Outcome;
}

describe('the comparison', () => {
  test('the comparison finds nothing in an outcome that conforms: spaces in JSON, null and absence, and fields not asked for', () => {
    expect(differencesOf(flow, good)).toEqual([]);
  });

  test.each<[name: string, path: string, value: unknown, place: string]>([
    ['a wrong text', 'steps/0/text', '## 1. A (a)\n\ny', 'steps[0].text'],
    ['a missing text', 'steps/0/text', undefined, 'steps[0].text'],
    ['a tool too much', 'steps/0/tools/2', 'more', 'steps[0].tools'],
    ['a tool too few', 'steps/0/tools/1', undefined, 'steps[0].tools'],
    ['tools in another order', 'steps/0/tools', ['noop', 'echo'], 'steps[0].tools[0]'],
    ['a wrong flag', 'steps/1/results/0/success', false, 'steps[1].results[0].success'],
    ['a flag that is only like it', 'steps/1/results/0/success', 1, 'steps[1].results[0].success'],
    ['a wrong message', 'steps/1/results/0/message', 'ok', 'steps[1].results[0].message'],
    ['a wrong value', 'steps/1/results/0/value/a', 2, 'steps[1].results[0].value.a'],
    ['a value of another class', 'steps/1/results/0/value/$type', 'S', 'steps[1].results[0].value.$type'],
    ['more in a value', 'steps/1/results/0/value/c', 3, 'steps[1].results[0].value.c'],
    ['no value', 'steps/1/results/0/value', undefined, 'steps[1].results[0].value'],
    [
      'other JSON in a text',
      'steps/1/results/0/tool_message',
      'OK\n\n{"a":1,"l":[2,1]}',
      'steps[1].results[0].tool_message',
    ],
    [
      'a null that JSON in a text does not have',
      'steps/1/results/0/tool_message',
      'OK\n\n{"a":1,"b":null,"l":[1,2]}',
      'steps[1].results[0].tool_message',
    ],
    ['a result too few', 'steps/1/results/0', undefined, 'steps[1].results'],
    ['an error instead of results', 'steps/1', { error: { class: 'TypeError' } }, 'steps[1].error'],
    ['an error beside what was asked for', 'steps/0/error', { class: 'TypeError' }, 'steps[0].error'],
    ['no error', 'steps/2/error', undefined, 'steps[2].error'],
    ['an error of another class', 'steps/2/error/class', 'PromptRenderError', 'steps[2].error.class'],
    ['an error of another phase', 'steps/2/error/phase', 'request', 'steps[2].error.phase'],
    ['an error at another stage', 'steps/2/error/stage', 'render', 'steps[2].error.stage'],
    ['a call that should not have completed', 'steps/2/completed/1', { success: true }, 'steps[2].completed'],
    ['an error in another section', 'steps/3/error/section_path', 'a', 'steps[3].error.section_path'],
    ['an error about another placeholder', 'steps/3/error/placeholder', 'y', 'steps[3].error.placeholder'],
    ['an error about another class of params', 'steps/3/error/params_type', undefined, 'steps[3].error.params_type'],
    ['a step too much', 'steps/4', { applied: true }, 'steps'],
    ['a step too few', 'steps/3', undefined, 'steps'],
    ['another state', 'final/session/Note/0/text', 'dirty', 'final.session.Note[0].text'],
    ['more state', 'final/session/Note/1', { $type: 'Note', text: 'dirty' }, 'final.session.Note'],
    ['a file that was not rolled back', 'final/files/new.txt', 'n', 'final.files.new.txt'],
    ['a file with another content', 'final/files/keep.txt', 'v2', 'final.files.keep.txt'],
    ['a missing event', 'final/events/0', undefined, 'final.events'],
    ['an event too much', 'final/events/1', { event: 'ToolInvoked', name: 'echo' }, 'final.events'],
    ['an event of another call', 'final/events/0/name', 'noop', 'final.events[0].name'],
    ['other params in an event', 'final/events/0/params/times', '1', 'final.events[0].params.times'],
    ['nothing observed', 'final', undefined, 'final'],
  ])('the comparison of results reports %s', (_name, path, value, place) => {
    expect(differencesOf(flow, withChange(path, value))).toContainEqual(
      expect.stringContaining(`outcome.${place}: expected `),
    );
  });

  test('the comparison takes what this design decides instead of what the reference does', () => {
    const decided = { ...flow, ts_expected: { steps: [{ text: 'ours' }] } };
    expect(differencesOf(decided, { steps: [{ text: 'ours' }] })).toEqual([]);
    expect(differencesOf(decided, good)).not.toEqual([]);
  });

  test('the comparison reports a declaration that should have been refused, and one that should not', () => {
    const refused = { ...flow, expected: { error: { class: 'PromptValidationError', stage: 'construct' } } };
    expect(differencesOf(refused, good)).toEqual([expect.stringContaining('outcome.error: expected')]);
    expect(differencesOf(flow, { error: { class: 'PromptValidationError', stage: 'construct' } })).not.toEqual([]);
  });

  test('the comparison compares the kind alone where the reference phrases something in its own language', () => {
    const worded = { ...flow, lang_specific: 'repr' };
    expect(differencesOf(worded, withChange('steps/0/text', 'another text'))).toEqual([]);
    expect(differencesOf(worded, withChange('steps/3/error/section_path', 'elsewhere'))).toEqual([]);
    expect(differencesOf(worded, withChange('steps/0/text', undefined))).toHaveLength(1);
    expect(differencesOf(worded, withChange('steps/1/results/0/success', false))).toHaveLength(1);
    expect(differencesOf(worded, withChange('steps/2/error/class', 'PromptRenderError'))).toHaveLength(1);
  });

  test('the comparison compares placeholders of templates only, and no class of params if there is none', () => {
    const tool = (placeholder: string, paramsType: string): ConformanceCase => ({
      ...flow,
      kind: 'tool',
      expected: { error: { class: 'PromptValidationError', placeholder, params_type: paramsType } },
    });
    const refused = { error: { class: 'PromptValidationError', placeholder: 'description', params_type: 'P' } };
    expect(differencesOf(tool('Upper', 'P'), refused)).toEqual([]);
    expect(differencesOf(tool('Upper', 'NoneType'), refused)).toEqual([]);
    expect(differencesOf(tool('Upper', 'Q'), refused)).toHaveLength(1);
  });
});

describe('classes of errors', () => {
  const refusal = (area: string, name: string): ConformanceCase => ({
    ...flow,
    area,
    kind: 'key',
    expected: { error: { class: name } },
  });

  test('an error of the reference language maps to ours, by area', () => {
    const key = { error: { class: 'PromptValidationError', code: 'E302' } };
    expect(differencesOf(refusal('section-key', 'ValueError'), key)).toEqual([]);
    expect(differencesOf(refusal('deadline', 'ValueError'), key)).toHaveLength(2);
    expect(
      differencesOf(refusal('section-key', 'ValueError'), { error: { class: 'PromptValidationError', code: 'E101' } }),
    ).toHaveLength(1);
  });

  test('an error that no table holds is a fault of the runner', () => {
    expect(() => differencesOf(refusal('section-key', 'OddError'), { error: { class: 'OddError' } })).toThrow(
      /^C3: .*"OddError"/,
    );
  });
});

describe('data', () => {
  const value = (wanted: unknown): ConformanceCase => ({ ...flow, expected: { value: wanted } });

  test('a date is its ISO text, whatever the offset is called', () => {
    const moment = new Date('2030-01-01T00:00:00Z');
    expect(differencesOf(value('2030-01-01T01:00:00+01:00'), { value: moment })).toEqual([]);
    expect(differencesOf(value('2030-01-01T00:00:01Z'), { value: moment })).toHaveLength(1);
  });

  test('an empty list is not nothing', () => {
    expect(differencesOf(value([]), { value: null })).toHaveLength(1);
    expect(differencesOf(value(null), {})).toEqual([]);
  });

  test('schemas are compared without titles, defaults and descriptions', () => {
    const schema = (words: object): ConformanceCase => ({
      ...flow,
      expected: { schema: { type: 'object', ...words } },
    });
    const ours = {
      schema: { type: 'object', description: 'd', required: ['b', 'a'], properties: { title: { type: 'string' } } },
    };
    const properties = { title: { type: 'string', title: 'T', default: 'x' } };
    expect(differencesOf(schema({ title: 'P', required: ['a', 'b'], properties }), ours)).toEqual([]);
    expect(differencesOf(schema({ required: ['a', 'b'], properties: {} }), ours)).toHaveLength(1);
    expect(differencesOf(schema({ required: ['a'], properties }), ours)).toHaveLength(1);
  });

  test('only those descriptions of parameters are compared that the case holds', () => {
    const described = (words: unknown): ConformanceCase => ({
      ...flow,
      expected: { tool_param_descriptions: { echo: { text: words } } },
    });
    const ours = {
      tool_param_descriptions: { echo: { text: { description: 'What', type: 'string' }, times: { type: 'integer' } } },
    };
    expect(differencesOf(described({ description: 'What' }), ours)).toEqual([]);
    expect(differencesOf(described('What'), ours)).toEqual([]);
    expect(differencesOf(described('Which'), ours)).toHaveLength(1);
  });
});

describe('JSON in texts', () => {
  test.each([
    ['{"a": 1, "b": [1, 2]}', '{"b":[1,2],"a":1}'],
    ['before\n\n[{"k": "}]"}] after [1]', 'before\n\n[{"k":"}]"}] after [1]'],
    ['[not json] {"a": "\\"{"}', '[not json] {"a":"\\"{"}'],
    ['{open', '{open'],
  ])('the comparison reads the JSON text %j as %j', (left, right) => {
    expect(normalText(left)).toBe(normalText(right));
  });

  test.each([
    ['{"a": 1}', '{"a": "1"}'],
    ['{"a": 1} ', '{"a": 1}'],
    ['{"a": null}', '{}'],
    ['[1, 2]', '[2, 1]'],
  ])('%j does not read as %j', (left, right) => {
    expect(normalText(left)).not.toBe(normalText(right));
  });
});

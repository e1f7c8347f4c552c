// Every keyword of the format: null if the runner supports it, otherwise the part of the framework that it waits for.

type Words = Readonly<Record<string, string | null>>;

const names = (...words: readonly string[]): Words => Object.fromEntries(words.map((word) => [word, null]));

const vocabulary = {
  kind: {
    ...names('flow', 'tool', 'key', 'result', 'result_ctor', 'session', 'deadline', 'budget', 'loop'),
    ...names('parse', 'dump', 'schema', 'fs', 'completion', 'resources'),
    output: null,
  },
  type: names(
    ...['str', 'int', 'float', 'bool', 'any', 'datetime', 'uuid'],
    ...['optional', 'list', 'tuple', 'map', 'ref', 'literal', 'union', 'enum'],
  ),
  'ready-made type': names('Plan', 'PlanStep', 'ReadSectionResult', 'VisibilityOverrides'),
  record: names('fields', 'render', 'render_throws'),
  field: names('name', 'type', 'default', 'meta'),
  meta: names('minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'strip', 'alias', 'description'),
  prompt: {
    ...names('ns', 'key', 'name', 'sections', 'policies', 'feedback'),
    ...names('output', 'allow_extra_keys'),
  },
  feedback: names('static', 'deadline', 'trigger'),
  policy: names('read_before_write', 'sequential'),
  'read-before-write policy': names('mount_point'),
  'deadline feedback': names('warning_threshold_seconds'),
  trigger: names('every_n_calls', 'on_file_created'),
  section: {
    ...names('key', 'title', 'template', 'params', 'default_params', 'default_params_type'),
    ...names('enabled', 'tools', 'policies', 'accepts_overrides', 'children', 'summary', 'visibility'),
  },
  'section kind': names('planning', 'vfs'),
  'planning section': names('kind', 'strategy'),
  'vfs section': names('kind', 'files'),
  strategy: names('react', 'plan_act_reflect', 'goal_decompose_route_synthesise'),
  enabled: names('param', 'equals', 'session_has', 'throws'),
  visibility: names('param', 'equals', 'session_has', 'then', 'else', 'returns'),
  tool: names(
    ...['name', 'description', 'params', 'result', 'result_array', 'handler', 'examples', 'accepts_overrides'],
  ),
  handler: names('bad_signature'),
  example: names('description', 'input', 'output'),
  do: names(
    ...['session.append', 'fs.write', 'fs.delete', 'clock.advance', 'return.ok', 'return.error', 'return', 'throw'],
  ),
  throw: {
    ...names('Error', 'Exception', 'RuntimeError', 'KeyError', 'ValueError', 'TypeError', 'FileNotFoundError'),
    ...names('AttributeError', 'IndexError', 'LookupError', 'ZeroDivisionError', 'OSError', 'TimeoutError'),
    ...names('NotImplementedError', 'AssertionError', 'ArithmeticError', 'RecursionError', 'UnicodeError'),
    ...names('IsADirectoryError', 'NotADirectoryError', 'FileExistsError', 'PermissionError'),
    ...names('PromptValidationError', 'PromptRenderError', 'PromptEvaluationError', 'VisibilityExpansionRequired'),
    ...names('ToolValidationError', 'DeadlineExceededError', 'UnboundResourceError', 'CircularDependencyError'),
    ...names('DuplicateBindingError', 'ProviderError'),
    ...names('PromptOverridesError', 'OutputParseError', 'BudgetExceededError', 'ThrottleError'),
  },
  'flow input': {
    ...names('types', 'prompt', 'params', 'binds', 'session', 'filesystem', 'deadline_seconds', 'coerce'),
    ...names('observe', 'steps', 'overrides'),
  },
  overrides: names('sections', 'tools', 'tag', 'render_tag'),
  'section override': names('body', 'summary', 'expected_hash'),
  'tool override': names('description', 'param_descriptions', 'examples', 'expected_hash'),
  'tool input': names('types', 'tool'),
  'key input': names('key'),
  'result input': names('types', 'value', 'message', 'success', 'exclude_value_from_context'),
  'result_ctor input': names('types', 'ok', 'error', 'kw'),
  'session input': names('types', 'session', 'ops'),
  'fs input': names('ops'),
  'fs op': names(
    ...['read', 'write', 'edit', 'list', 'stat', 'exists', 'delete', 'mkdir', 'glob', 'grep', 'snapshot', 'restore'],
  ),
  'fs op field': names(
    ...['op', 'path', 'content', 'mode', 'create_parents', 'old_text', 'new_text', 'replace_all', 'offset', 'limit'],
    ...['recursive', 'parents', 'exist_ok', 'pattern', 'glob', 'max_matches', 'as', 'from'],
  ),
  'resources input': names('names', 'bindings', 'ops'),
  binding: names('name', 'scope', 'eager', 'deps', 'closes', 'fails'),
  'resource scope': names('singleton', 'tool_call', 'prototype'),
  'resource op': names('get', 'tool_scope'),
  'write mode': names('create', 'overwrite', 'append'),
  'deadline input': names('seconds', 'advance'),
  'completion input': names('files', 'checker'),
  checker: names('files', 'composite', 'all_must_pass'),
  'output input': names('types', 'prompt', 'text', 'coerce'),
  output: names('type', 'container'),
  'output container': names('object', 'array'),
  'budget input': names('budget', 'ops'),
  budget: names('deadline_seconds', 'max_total_tokens', 'max_input_tokens', 'max_output_tokens'),
  'budget op': names('record', 'usage', 'advance', 'check'),
  'loop input': {
    ...names('types', 'prompt', 'params', 'session', 'deadline_seconds', 'coerce', 'observe', 'script', 'budget'),
    overrides: null,
  },
  script: {
    ...names('content', 'tool_calls', 'usage', 'advance_clock', 'throttle'),
    parsed: null,
  },
  'parse input': names('types', 'type', 'data', 'extra', 'coerce'),
  extra: names('forbid', 'ignore'),
  'dump input': names('types', 'value', 'exclude_none'),
  'schema input': names('types', 'type'),
  session: {
    ...names('seed', 'reducers', 'failing_subscriber', 'visibility_overrides'),
  },
  reducer: names('append_all', 'replace_latest', 'upsert_by', 'replace_latest_by', 'throw'),
  'reducer option': names('slice', 'on', 'reducer', 'policy'),
  observe: names('session', 'files', 'events'),
  slice: names('VisibilityOverrides', 'Plan', 'PolicyState'),
  step: {
    ...names('render', 'call', 'calls', 'bind', 'advance_clock', 'state', 'tool_specs'),
    ...names('apply_expansion', 'set_visibility', 'clear_visibility'),
    descriptor: null,
  },
  'op field': names(
    ...['op', 'slice', 'event', 'value', 'values', 'where', 'field', 'equals'],
    ...['as', 'include_all', 'from', 'preserve_logs'],
  ),
  op: names('dispatch', 'append', 'all', 'latest', 'where', 'seed', 'clear', 'snapshot', 'restore', 'reset'),
} as const satisfies Readonly<Record<string, Words>>;

export type WordKind = keyof typeof vocabulary;

/** The part that the keyword waits for: null if it is supported, undefined if it is unknown. */
export function standingOf(kind: WordKind, word: string): string | null | undefined {
  const words: Words = vocabulary[kind];
  return Object.hasOwn(words, word) ? words[word] : undefined;
}

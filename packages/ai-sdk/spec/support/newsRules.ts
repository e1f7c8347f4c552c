import { isJson, list, objects, shown, strangers, type Json } from '../../../openai/spec/support/json';
import type { RequestRule } from '../../../openai/spec/support/RequestRule';

/** What @ai-sdk/anthropic 4.0.105 and @ai-sdk/openai 4.0.118 check, and what their providers refuse. */
export const newsRule: RequestRule = {
  id: 'news',
  what: 'Tools are added and removed as the packages and their providers take it.',
  check: (body) => [...textProblems(body), ...claudeProblems(body), ...openaiProblems(body)],
};

function textProblems({ messages }: Json): readonly string[] {
  return objects(messages).flatMap(([index, { role, content, providerOptions }]) => {
    const hasNews =
      isJson(providerOptions) && (has(providerOptions, 'toolChanges') || has(providerOptions, 'additionalTools'));
    return role === 'system' && content === '' && !hasNews ? [`messages[${String(index)}] says nothing`] : [];
  });
}

function claudeProblems({ messages, tools, version, provider, providerOptions }: Json): readonly string[] {
  const all = objects(tools).map(([, tool]) => tool);
  const deferred = all.filter((tool) => optionOf(tool, 'anthropic', 'deferLoading') === true);
  const visible = new Set(all.filter((tool) => !deferred.includes(tool)).map(({ name }) => shown(name)));
  const known = new Set(all.map(({ name }) => shown(name)));
  const problems = [
    ...deferred
      .filter((tool) => optionOf(tool, 'anthropic', 'cacheControl') !== undefined)
      .map(({ name }) => `${shown(name)} is deferred and marked`),
    ...(deferred.length > 0 && visible.size === 0 ? ['all tools are deferred'] : []),
  ];
  const hasSearch = all.some(({ id }) => String(id).startsWith('anthropic.tool_search'));
  let hasNews = false;
  for (const [index, message] of objects(messages)) {
    const changes = optionOf(message, 'anthropic', 'toolChanges');
    if (changes === undefined) continue;
    hasNews = true;
    if (version !== 'v4' || !String(provider).includes('anthropic'))
      problems.push('this model knows no changes of tools');
    if (message['role'] !== 'system' || index === 0) problems.push(`messages[${String(index)}] takes no changes`);
    for (const [, change] of objects(changes)) {
      const name = shown(change['toolName']);
      if (strangers(change, ['type', 'toolName']).length > 0)
        problems.push(`an unknown field in the change of ${name}`);
      if (!known.has(name)) problems.push(`tool_reference_unresolved: ${name}`);
      const isAddition = change['type'] === 'tool_addition';
      if (!isAddition && change['type'] !== 'tool_removal') problems.push(`an unknown change ${shown(change['type'])}`);
      if (isAddition === visible.has(name)) problems.push(`tool_name_conflict: ${name}`);
      if (isAddition) visible.add(name);
      else visible.delete(name);
    }
  }
  const betas = isJson(providerOptions) ? optionOf({ providerOptions }, 'anthropic', 'anthropicBeta') : undefined;
  if (hasNews && hasSearch) problems.push("the provider's search would open deferred tools");
  if (hasNews && !list(betas).includes('mid-conversation-tool-changes-2026-07-01')) problems.push('a beta comes later');
  return problems;
}

function openaiProblems({ messages, tools, version, provider }: Json): readonly string[] {
  const listed = new Set(
    objects(tools)
      .filter(([, tool]) => optionOf(tool, 'openai', 'omitFromRequestTools') !== true)
      .map(([, { name }]) => shown(name)),
  );
  return objects(messages).flatMap(([index, message]) => {
    const added = optionOf(message, 'openai', 'additionalTools');
    if (added === undefined) return [];
    const place = `messages[${String(index)}]`;
    return [
      ...(version === 'v4' && String(provider).startsWith('openai.responses')
        ? []
        : [`${place}: no additional tools here`]),
      ...(message['role'] === 'system' && message['content'] === ''
        ? []
        : [`${place}: only in an empty system message`]),
      ...objects(added).flatMap(([, tool]) => {
        const name = shown(tool['name']);
        const isTwice = listed.has(name);
        listed.add(name);
        return [
          ...strangers(tool, ['type', 'name', 'description', 'parameters', 'strict', 'defer_loading']).map(
            (field) => `${name}: ${field}`,
          ),
          ...(tool['type'] === 'function' && isJson(tool['parameters']) ? [] : [`${name} is no function`]),
          ...(isTwice ? [`${name} is there already`] : []),
        ];
      }),
    ];
  });
}

function has(providerOptions: Json, field: string): boolean {
  return Object.values(providerOptions).some((fields) => isJson(fields) && field in fields);
}

function optionOf({ providerOptions }: Json, provider: string, field: string): unknown {
  const fields = isJson(providerOptions) ? providerOptions[provider] : undefined;
  return isJson(fields) ? fields[field] : undefined;
}

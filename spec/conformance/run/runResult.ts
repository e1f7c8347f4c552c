import { createApplication, definePrompt, defineSection, defineTool, ToolResult } from 'toolwright';
import { ToolInvoked } from 'toolwright/events';
import { silentLogger } from '../declare/silentLogger';
import { TypeCatalogue } from '../declare/TypeCatalogue';
import { unknownWord } from '../ConformanceFault';
import type { Outcome, ResultCtorInput, ResultInput } from '../format';

/** Lets a tool return the result: its event holds the rendered value, and the text for the model. */
export async function runResult(input: ResultInput): Promise<Outcome> {
  const result = new ToolResult({
    message: input.message ?? 'm',
    value: new TypeCatalogue(input.types).value(input.value),
    success: input.success,
    excludeValueFromContext: input.exclude_value_from_context,
  });
  const give = defineTool({ name: 'give', description: 'Gives the result.', handler: () => result });
  const definition = definePrompt({
    ns: 'demo',
    key: 'case',
    sections: [defineSection({ key: 'a', title: 'A', tools: [give] })],
  });
  const app = await createApplication({ prompts: [definition], logger: silentLogger });
  let outcome: Outcome = {};
  app.eventBus.subscribe(ToolInvoked, ({ renderedOutput, toolMessage }) => {
    outcome = { render: renderedOutput, tool_message: toolMessage };
  });
  await app.invoke(await app.prompt(definition).render(), 'give', {});
  return outcome;
}

/** Makes a result with `ToolResult.ok` or `ToolResult.error`. */
export async function runResultCtor(input: ResultCtorInput): Promise<Outcome> {
  const types = new TypeCatalogue(input.types);
  const { message, value, success, excludeValueFromContext } = resultOf(input, types);
  return { message, value: types.data(value), success, exclude_value_from_context: excludeValueFromContext };
}

function resultOf({ ok, error, kw = {}, ...rest }: ResultCtorInput, types: TypeCatalogue): ToolResult {
  if (error !== undefined) return ToolResult.error(error, 'value' in kw ? { value: types.value(kw.value) } : {});
  if (ok === undefined) throw unknownWord('result', Object.keys(rest));
  const made = types.value(ok);
  // The message that the reference has beside a value too; here it is for results without one (contract, 5.1).
  return ToolResult.ok(made, kw.message ?? 'OK');
}

// Checked by the compiler only (`npm run typecheck`): code under @ts-expect-error must not compile, the rest must.
import { Param, Session, type Application, type BoundPrompt, type RenderedPrompt, type ToolCall } from 'toolwright';

class DeskParams {
  @Param('Tool to try first') primaryTool = 'get_order';
  @Param('Limit') limit = 5;
  describe(): string {
    return `${this.primaryTool} ${String(this.limit)}`;
  }
}

/** Every way to bind that must compile, and those that must not. */
export async function bindings(prompt: BoundPrompt): Promise<void> {
  prompt.bind(DeskParams, { primaryTool: 'ping' });
  prompt.bind(DeskParams, {});
  prompt.bind(new DeskParams());
  prompt.bind(new DeskParams(), new Session());
  await prompt.render();
  await prompt.render(new DeskParams());
  await prompt.render(new DeskParams(), { session: new Session() });
  await prompt.render({ session: new Session() });

  // @ts-expect-error: there is no such property
  prompt.bind(DeskParams, { primryTool: 'ping' });
  // @ts-expect-error: a property of another type
  prompt.bind(DeskParams, { limit: 'five' });
  // @ts-expect-error: a method is no value to bind
  prompt.bind(DeskParams, { describe: () => 'x' });
  // @ts-expect-error: a class without its values
  prompt.bind(DeskParams);
  // @ts-expect-error: a class among instances
  prompt.bind(new DeskParams(), DeskParams);
  // @ts-expect-error: a name is no class
  prompt.bind('DeskParams', { primaryTool: 'ping' });
  // @ts-expect-error: a class is no instance
  await prompt.render(DeskParams);
}

/** As many outcomes as calls. */
export async function outcomes(app: Application, rendered: RenderedPrompt, call: ToolCall): Promise<unknown> {
  const [first, second] = await app.callTools(rendered, [call, call]);
  // @ts-expect-error: there are two
  const [, , third] = await app.callTools(rendered, [call, call]);
  return [first.text, second.text, third];
}

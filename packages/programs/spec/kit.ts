import { type Constructor, defineTool, Param, type ToolContext, type ToolDefinition } from 'toolwright';
import { QuickJsSandbox, Toolkit, type ToolkitOptions } from '@toolwright/programs';
import { deskOf, writeBoth, type Desk } from '../../../spec/dispatch/desk';

/** One engine for the specs of a file, closed at their end. */
export function engineOfFile(): QuickJsSandbox {
  const sandbox = new QuickJsSandbox({ workers: 1 });
  afterAll(() => sandbox.close());
  return sandbox;
}

/** Starting the engine and the parser takes its time on a machine that is busy. */
export const PATIENCE_MS = 60_000;

/** A tool without params whose handler gets the context. */
export function act(
  name: string,
  handler: (context: ToolContext) => unknown,
  options: Partial<ToolDefinition<unknown, undefined>> = {},
): Constructor {
  return defineTool({
    name,
    description: 'Acts.',
    ...options,
    handler: (_params: unknown, context: ToolContext) => handler(context),
  });
}

class Login {
  @Param({ description: 'Key', secret: true }) key!: string;
}

/** The tool `login`, whose argument `key` is a secret. */
export function loginWith(handler: (login: Login) => unknown): Constructor {
  return defineTool({ name: 'login', description: 'Logs in.', params: Login, handler });
}

/** Leaves a trace in session and ledger, under its own name. */
export function writer(name: string, options: Partial<ToolDefinition<unknown, undefined>> = {}): Constructor {
  return act(
    name,
    (context) => {
      writeBoth(context, name);
      return name;
    },
    options,
  );
}

/** A desk with a toolkit over its prompt and session. */
export async function kitOf(
  tools: readonly Constructor[],
  options: ToolkitOptions & { readonly desk?: Parameters<typeof deskOf>[1] } = {},
): Promise<{ readonly desk: Desk; readonly kit: Toolkit }> {
  const { desk: ofDesk, ...ofKit } = options;
  const desk = await deskOf(tools, ofDesk);
  const { app, rendered, session } = desk;
  return { desk, kit: await Toolkit.from(rendered, { app, session, check: 'syntax', ...ofKit }) };
}

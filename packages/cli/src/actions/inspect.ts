import { basename } from 'node:path';
import type { Application, ModelAdapter, Session } from 'toolwright';
import type { Bundle } from 'toolwright/bundles';
import { copyOwnOptions } from 'toolwright/internal/light';
import type { Approver } from 'toolwright/policies';
import { CliError } from '../CliError.js';
import type { AppOptions, CommandContext } from '../Context.js';
import type { Loaded } from '../load/loadApplication.js';
import { loadPackage } from '../load/loadPackage.js';
import { withApplication } from '../load/withApplication.js';
import { readRecorded } from '../readRecorded.js';

const INSPECTOR = { name: '@toolwright/inspector', place: 'inspect', install: 'npm install --save-dev' };

/** The exports of `@toolwright/inspector` that the command uses. */
interface InspectorModule {
  readonly ApprovalInbox: new () => Approver;
  readonly serveInspector: (
    inspected: { readonly app?: Application; readonly bundle?: Bundle; readonly bundleName?: string },
    options: {
      readonly port?: number | undefined;
      readonly allowCalls?: boolean;
      readonly approvals?: Approver;
      readonly adapter?: () => Promise<ModelAdapter | undefined>;
      readonly runs?: Awaited<ReturnType<Loaded['runs']>>;
      readonly newSession?: () => Session;
    },
  ) => Promise<{ readonly url: string; close(): Promise<void> }>;
}

export interface InspectOptions extends AppOptions {
  readonly port?: number;
  readonly allowCalls?: boolean;
}

export async function inspect(
  context: CommandContext,
  file: string | undefined,
  options: InspectOptions,
): Promise<void> {
  const inspector = await loadPackage<InspectorModule>(context.folder, INSPECTOR);
  const { port: wanted, allowCalls = false } = copyOwnOptions(options);
  if (file !== undefined && options.app === undefined) {
    const bundle = await readBundle(file, context);
    const served = await inspector.serveInspector({ bundle, bundleName: basename(file) }, { port: wanted });
    await waitForInterrupt(context, served, options);
    return;
  }
  const approvals = new inspector.ApprovalInbox();
  await withApplication(
    context,
    options,
    async ({ app, adapter, runs, session }) => {
      const empty = await session();
      const recorded =
        file === undefined ? {} : { bundle: await readBundle(file, context), bundleName: basename(file) };
      const served = await inspector.serveInspector(
        { app, ...recorded },
        { port: wanted, allowCalls, approvals, adapter, runs: await runs(), newSession: () => empty.clone() },
      );
      await waitForInterrupt(context, served, options);
    },
    approvals,
  );
}

async function readBundle(file: string, { folder }: CommandContext): Promise<Bundle> {
  const recorded = await readRecorded(file, folder);
  if (recorded.kind === 'bundle') return recorded.bundle;
  throw new CliError('it is a transcript; the inspector shows bundles', { code: 'E970', place: file });
}

async function waitForInterrupt(
  { terminal, signal }: CommandContext,
  served: { readonly url: string; close(): Promise<void> },
  { json = false }: AppOptions,
): Promise<void> {
  if (json) terminal.json({ url: served.url });
  else terminal.data(served.url);
  terminal.note('Open it in a browser; Ctrl-C ends it.');
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
  await served.close();
}

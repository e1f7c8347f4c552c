import type { Runs } from '@toolwright/durable';
import { getApplicationParts } from 'toolwright/internal';
import { Session, type Application, type BoundPrompt, type RenderedPrompt } from 'toolwright';
import {
  readBundle,
  recordBundle,
  type Bundle,
  type BundleEntry,
  type BundleRecording,
  type ReadBundleOptions,
} from 'toolwright/bundles';
import { rehearse } from 'toolwright/own-loop';
import { MAX_OPEN_BUNDLES } from '../limits.js';
import type { ApprovalInbox } from './ApprovalInbox.js';
import { ForkDesk, type ForkAdapter } from './ForkDesk.js';
import { Inbox } from './Inbox.js';
import { InspectorError } from './InspectorError.js';
import { Moments } from './Moments.js';
import { OpenCalls } from './OpenCalls.js';
import { PromptDesk, loadTokenCount } from './PromptDesk.js';
import { EntrySource, type LiveLimits } from './EntrySource.js';
import { StoredQuestions } from './StoredQuestions.js';

/** The application, the bundle, or both, to inspect. */
export interface Inspected {
  readonly app?: Application | undefined;
  /** A recorded run, and the name under which it is shown. */
  readonly bundle?: Bundle | undefined;
  readonly bundleName?: string | undefined;
}

/** Options of the inspector: its permissions, model, inbox and limits. */
export interface InspectorOptions {
  /** Lets the page rehearse calls and answer approvals. The page is read-only when left out. */
  readonly allowCalls?: boolean | undefined;
  /** The model that answers when the page forks a run; it is asked only with `allowCalls`. */
  readonly adapter?: ForkAdapter | undefined;
  /** The inbox that was given to the application as its approver. */
  readonly approvals?: ApprovalInbox | undefined;
  /** Durable runs, whose questions wait in the same inbox. */
  readonly runs?: Pick<Runs, 'acrossTenants' | 'forTenant'> | undefined;
  /** Prompts with bound params, which replace their declarations. */
  readonly prompts?: readonly BoundPrompt[] | undefined;
  /** Makes the session that prompts are rendered with and calls are rehearsed on; a new, empty one when left out. */
  readonly newSession?: (() => Session) | undefined;
  /** How many entries of the application are kept. The page says how many were dropped. */
  readonly live?: LiveLimits | undefined;
  /** Limits for reading a bundle that is opened. */
  readonly bundles?: ReadBundleOptions | undefined;
}

/** Everything that the page shows, independently of the server. */
export class Inspector {
  readonly allowCalls: boolean;
  readonly inbox: Inbox;
  readonly desk: PromptDesk | undefined;
  /** Undefined without an application. */
  forks: ForkDesk | undefined;
  readonly #sources = new Map<string, EntrySource>();
  readonly #bundleOptions: ReadBundleOptions | undefined;
  readonly #approvals: ApprovalInbox | undefined;
  #recording: BundleRecording | undefined;
  #leave: (() => void) | undefined;
  #opened = 0;

  private constructor({ app, bundle, bundleName }: Inspected, options: InspectorOptions, desk: PromptDesk | undefined) {
    this.allowCalls = options.allowCalls === true;
    this.#approvals = options.approvals;
    const { runs } = options;
    this.inbox = new Inbox(options.approvals, runs && new StoredQuestions(runs, this.allowCalls));
    this.desk = desk;
    this.#bundleOptions = options.bundles;
    if (bundle !== undefined) this.#open(bundleName ?? 'bundle', bundle);
    if (app !== undefined) this.#follow(app, options);
  }

  static async of(inspected: Inspected, options: InspectorOptions = {}): Promise<Inspector> {
    const { prompts = [], newSession = () => new Session() } = options;
    const { app } = inspected;
    const desk = app && new PromptDesk(app, { prompts, newSession, tokens: await loadTokenCount() });
    return new Inspector(inspected, options, desk);
  }

  /** The sources to choose from, opened bundles first. */
  get sources(): readonly EntrySource[] {
    return [...this.#sources.values()];
  }

  /** @throws InspectorError 404 */
  source(id: string): EntrySource {
    const source = this.#sources.get(id);
    if (source === undefined) throw new InspectorError(404, 'this bundle is not open any more', id);
    return source;
  }

  /** Opens a bundle from a stream of bytes. @throws ToolwrightError E750, E751 */
  async open(name: string, bytes: AsyncIterable<Uint8Array>): Promise<EntrySource> {
    const source = this.#open(name, await readBundle(bytes, this.#bundleOptions));
    const opened = this.sources.filter(({ id }) => id !== 'live');
    for (const { id } of opened.slice(0, -MAX_OPEN_BUNDLES)) this.#sources.delete(id);
    return source;
  }

  /** Writes the recording of the application as the text of a bundle. @throws InspectorError 404 without an application */
  bundleText(): string {
    if (this.#recording === undefined) throw new InspectorError(404, 'no application is inspected');
    return this.#recording.text();
  }

  /** Stops following the application. */
  close(): void {
    this.#recording?.stop();
    this.#leave?.();
    this.forks?.close();
    this.#approvals?.inspectWith(undefined);
  }

  #open(name: string, bundle: Bundle): EntrySource {
    const source = new EntrySource(`bundle-${String(++this.#opened)}`, name, bundle);
    this.#sources.set(source.id, source);
    return source;
  }

  #follow(app: Application, { adapter, live: limits }: InspectorOptions): void {
    const live = new EntrySource('live', 'Live', undefined, limits);
    this.#sources.set('live', live);
    const recording = recordBundle(app, { whenFull: 'forget', maxChars: live.limits.maxBytes });
    this.#recording = recording;
    const moments = new Moments();
    recording.listen((line) => {
      for (const run of live.add(JSON.parse(line) as BundleEntry, Buffer.byteLength(line))) moments.forget(run);
    });
    this.forks = new ForkDesk({ app, live, moments, recording, adapter });
    const calls = new OpenCalls();
    const { interceptors } = getApplicationParts(app).services;
    const leaving = [calls, moments].map((each) => interceptors.add(each));
    this.#leave = () => {
      for (const leave of leaving) leave();
    };
    this.#approvals?.inspectWith({
      shown: (callId) => calls.of(callId)?.recordedCall().arguments,
      recorded: (callId, text) => calls.of(callId)?.recorded(text) ?? '',
      changes: async ({ call }, { renderedPrompt }) => {
        if (!this.allowCalls) throw new InspectorError(403, 'calls are not allowed, so nothing is rehearsed');
        const session = calls.of(call.id)?.session;
        const rehearsal = await rehearse(app, renderedPrompt as RenderedPrompt, call, {
          session: session instanceof Session ? session : undefined,
        });
        return rehearsal.changed;
      },
    });
  }
}

import { copyOwnOptions } from '../common/objects.js';
import { getApplicationParts, type Application } from '../application/Application.js';
import { guardRedact, PortGuard } from '../application/guardPorts.js';
import { host } from '../common/builtins.js';
import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import type { Interceptor } from '../interface/Interceptor.js';
import type { BundleHead } from './BundleEntry.js';
import { EntryBuffer, type LineListener, type WhenFull } from './EntryBuffer.js';
import { BundleRecorder } from './BundleRecorder.js';
import { Secrets } from './Secrets.js';
import { MAX_BUNDLE_CHARS } from './limits.js';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtFolder } from '../common/builtFolder.js';

/** Options of `recordBundle`. */
export interface RecordBundleOptions {
  /** The most characters that are kept; 64 million when left out. */
  readonly maxChars?: number | undefined;
  /** With more characters, `stop` (by default) keeps the beginning and `forget` the end. */
  readonly whenFull?: WhenFull | undefined;
  /** Removes further texts from the recording, after the application's own `redact`. */
  readonly redact?: ((text: string) => string) | undefined;
}

const optionNames: OptionNames<RecordBundleOptions> = { maxChars: 1, whenFull: 1, redact: 1 };

/** A recording that goes on until it is stopped. */
export interface BundleRecording {
  /** Returns the recording so far: the text of a bundle. */
  text(): string;
  /** The same, line by line without line ends. */
  lines(): readonly string[];
  /** Records a run that is rehearsed beside the application: give both to `rehearseRun`. */
  readonly interceptor: Interceptor;
  readonly onEvent: (event: object) => void;
  /** Calls the listener with each further line; the returned function ends that. */
  listen(listener: LineListener): () => void;
  /** True once entries were left out, since there were too many. */
  readonly isFull: boolean;
  /** Ends the recording; its entries can still be read. */
  stop(): void;
  [Symbol.dispose](): void;
}

/**
 * Records an application from now on: prompts, messages, calls, events and state, without secrets. It slows the runs
 * down, so it is for development and for looking into a fault.
 *
 * @throws PromptError E413 for an unknown option
 * @example
 * const recording = recordBundle(app);
 * await app.evaluate(prompt, { adapter, session });
 * await writeFile('run.bundle.jsonl', recording.text());
 */
export function recordBundle(app: Application, options: RecordBundleOptions = {}): BundleRecording {
  requireOptionNames('recordBundle', options, optionNames);
  const { maxChars = MAX_BUNDLE_CHARS, whenFull = 'stop', redact } = copyOwnOptions(options);
  const { events, services } = getApplicationParts(app);
  const { clock, logger, redaction, interceptors, eventBus } = services;
  const now = (): number => clock.now();
  const own = redact && guardRedact(redact, new PortGuard(logger));
  const recorded = (text: string): string => redaction.redact(text);
  const secrets = new Secrets(own === undefined ? recorded : (text) => own(recorded(text)));
  const entries = new EntryBuffer(secrets, { now, maxChars, whenFull });
  const recorder = new BundleRecorder(entries, secrets, clock);
  const subscriptions = events.map((type) => eventBus.subscribe(type, recorder.record));
  const leave = interceptors.add(recorder);
  const head: BundleHead = {
    kind: 'bundle',
    format: 'toolwright/bundle',
    version: 1,
    createdAt: now(),
    versions: { toolwright: readPackageVersion(), node: host.versions.node },
  };
  const lines = (): readonly string[] => [JSON.stringify(head), ...entries.lines()];
  const stop = (): void => {
    recorder.stop();
    entries.close();
    leave();
    for (const end of subscriptions) end();
  };
  return {
    lines,
    text: () =>
      lines()
        .map((line) => `${line}\n`)
        .join(''),
    interceptor: recorder,
    onEvent: recorder.record,
    listen: (listener) => entries.listen(listener),
    get isFull() {
      return entries.isFull;
    },
    stop,
    [Symbol.dispose]: stop,
  };
}

/** The version of this package; `unknown` where its files were moved into another package. */
function readPackageVersion(): string {
  for (let folder = builtFolder; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown; version?: unknown };
    if (name === 'toolwright' && typeof version === 'string') return version;
  }
  return 'unknown';
}

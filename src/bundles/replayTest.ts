import { escapeUnits, quote } from '../common/text.js';
import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import { createPlacedError } from '../error/ToolwrightError.js';
import type { Bundle } from './BundleEntry.js';
import { replayOf } from './replayOf.js';

/** Options of `replayTest`. */
export interface ReplayTestOptions {
  /** The run; the first that was answered when left out. */
  readonly run?: string | undefined;
  /** The file of the bundle, as seen from the test; `./run.bundle.jsonl` when left out. */
  readonly file?: string | undefined;
  /** The module that exports `createApp` and the prompt; `./app.js` when left out. */
  readonly app?: string | undefined;
  /** The name of the prompt class in that module; `AgentPrompt` when left out. */
  readonly promptClass?: string | undefined;
  /** The test runner; `node` when left out. */
  readonly runner?: 'node' | 'jest' | 'vitest' | undefined;
  /** How the test is run: an ES `module` when left out. vitest has no other. */
  readonly format?: 'module' | 'commonjs' | undefined;
}

const optionNames: OptionNames<ReplayTestOptions> = { run: 1, file: 1, app: 1, promptClass: 1, runner: 1, format: 1 };

/** Where `test` comes from; in jest it is a global, whose package a strict installation does not find. */
const RUNNERS = { node: 'node:test', jest: undefined, vitest: 'vitest' };

/**
 * Returns the source text of a test that replays a run: the model says what it said, and the test fails at the first message that
 * is another one now. The application has to be in the state in which the run found it.
 *
 * @throws PromptError E413 for an unknown option, ToolwrightError E752, and E754 for a module that the runner could not import
 */
export function replayTest(bundle: Bundle, options: ReplayTestOptions = {}): string {
  requireOptionNames('replayTest', options, optionNames);
  const { file = './run.bundle.jsonl', app = './app.js', promptClass = 'AgentPrompt', runner = 'node' } = options;
  const { run, prompt, session } = replayOf(bundle, options.run);
  const slices = Object.keys(session.slices);
  const { imported: exported, local: name } = chooseBinding(promptClass);
  const isModule = options.format !== 'commonjs' || runner === 'vitest';
  const imported = (names: string, from: string): string =>
    isModule ? `import ${names} from ${quoteLiteral(from)};` : `const ${names} = require(${quoteLiteral(from)});`;
  const from = RUNNERS[runner];
  const lines = [
    imported('assert', 'node:assert/strict'),
    isModule ? imported('{ fileURLToPath }', 'node:url') : imported('{ join }', 'node:path'),
    ...(from === undefined ? [] : [imported('{ test }', from)]),
    imported('{ Session }', 'toolwright'),
    imported('{ readBundleFile, replayOf }', 'toolwright/bundles'),
    imported('{ ReplayModel }', 'toolwright/testing'),
    imported(
      exported === name ? `{ createApp, ${name} }` : `{ createApp, ${exported}${isModule ? ' as' : ':'} ${name} }`,
      isModule ? createSpecifier(app, runner) : app,
    ),
    '',
    `test(${quoteLiteral(`replays ${prompt}, run ${run}`)}, async () => {`,
    isModule
      ? `  const file = fileURLToPath(new URL(${quoteLiteral(parseUrl(file))}, import.meta.url));`
      : `  const file = join(__dirname, ${quoteLiteral(file)});`,
    `  const replay = replayOf(await readBundleFile(file), ${quoteLiteral(run)});`,
    '  const adapter = new ReplayModel(replay.transcript);',
    ...(slices.length > 0
      ? [
          `  // List the classes that hold ${listNames(slices)}.`,
          '  const session = Session.fromJSON(replay.session, { slices: [] });',
        ]
      : ['  const session = new Session();']),
    '  const app = await createApp();',
    '  try {',
    `    const response = await app.evaluate(app.prompt(${name}), { adapter, session, messages: replay.messages });`,
    '    adapter.assertEnded();',
    '    assert.equal(response.text, replay.text);',
    '  } finally {',
    '    await app.close();',
    '  }',
    '});',
  ];
  return `${lines.join('\n')}\n`;
}

/** A text from the bundle as a literal: nothing that it holds may become code, nor end the line. */
function quoteLiteral(text: string): string {
  const json = JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029<]/g, escapeUnits);
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Names that a test uses for other things, or that JavaScript reserves. */
const TAKEN: ReadonlySet<string> = new Set(
  (
    'assert test Session readBundleFile replayOf ReplayModel createApp fileURLToPath join file replay adapter ' +
    'session app response URL require module exports __dirname __filename break case catch class const ' +
    'continue debugger default delete do else enum export extends false finally for function if import in ' +
    'instanceof new null return super switch this throw true try typeof var void while with yield let static ' +
    'implements interface package private protected public await async eval arguments undefined NaN Infinity ' +
    'type as'
  ).split(' '),
);

const DEFAULT_CLASS = 'AgentPrompt';

/** The name of the prompt class in its module, and the one that the test gives it. */
function chooseBinding(name: string): { readonly imported: string; readonly local: string } {
  const imported = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : DEFAULT_CLASS;
  return { imported, local: TAKEN.has(imported) ? DEFAULT_CLASS : imported };
}

/** Signs that a URL reads otherwise than a path does. */
const MEANT_BY_URLS = /[%#?\\:\u0000-\u0020]/g;

/** A path as a relative URL. */
function parseUrl(path: string): string {
  return path
    .replace(/^\/{2,}/, '/')
    .replace(MEANT_BY_URLS, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/**
 * The path of a module as an `import` names it: for Node it is a URL, for the others a path that may have a query.
 *
 * @throws ToolwrightError E754
 */
function createSpecifier(path: string, runner: keyof typeof RUNNERS): string {
  if (runner === 'node') return parseUrl(path);
  const meant = runner === 'jest' ? /[?]/ : /[?#%]/;
  if (!meant.test(path)) return path;
  const problem = `${runner} cannot import the module ${quote(path)}: it takes a sign of the path for a part of a URL`;
  throw createPlacedError(problem, { code: 'E754', place: path });
}

/** Names for a comment, which a line end would leave. */
function listNames(names: readonly string[]): string {
  return names.map((name) => name.replace(/[^\w$.-]/g, '?')).join(', ');
}

import type { Bundle, BundleEntry } from 'toolwright/bundles';
import { MAX_BUNDLE_TEXT_CHARS } from '../limits.js';
import {
  shorten,
  bold,
  cyan,
  dim,
  green,
  line,
  magenta,
  red,
  yellow,
  type LinePart,
  type TerminalText,
} from '../terminal/TerminalText.js';
import type { TraceNode } from './drawTrees.js';

/** Builds a tree for each run of a bundle: its requests, their calls, and the outcomes and changes of those. */
export function buildBundleTrees({ entries }: Bundle): readonly TraceNode[] {
  const roots: TraceNode[] = [];
  const nodes = new Map<number, TraceNode>();
  const turns = new Map<string, TraceNode>();
  const runs = new Map<string, TraceNode>();
  const outcomes = new Map(selectEntries(entries, 'outcome').map((outcome) => [outcome.of, outcome]));
  const answers = new Map(selectEntries(entries, 'answer').map((answer) => [answer.of, answer]));
  const ends = new Map(selectEntries(entries, 'end').map((end) => [end.run, end]));
  const place = (entry: BundleEntry, text: TerminalText, under: TraceNode | undefined): TraceNode => {
    const node = { text, children: [] };
    (under?.children ?? roots).push(node);
    nodes.set(entry.seq, node);
    return node;
  };
  for (const entry of entries) {
    switch (entry.kind) {
      case 'run':
        runs.set(entry.run, place(entry, formatRun(entry, ends.get(entry.run)), parentOf(entry.parent)));
        break;
      case 'request':
        turns.set(
          `${entry.run} ${String(entry.turn)}`,
          place(entry, formatAnswer(entry, answers.get(entry.seq)), runs.get(entry.run)),
        );
        break;
      case 'call': {
        const turn = turns.get(`${entry.run} ${String(entry.turn)}`) ?? runs.get(entry.run);
        place(entry, formatCall(entry, outcomes.get(entry.seq)), parentOf(entry.parent) ?? turn);
        break;
      }
      case 'attempt':
        if (entry.attempt > 1) place(entry, yellow(`attempt ${String(entry.attempt)}`), nodes.get(entry.of));
        break;
      case 'program':
        place(entry, line`${magenta('program')} ${dim(shortenText(entry.code))}`, parentOf(entry.of));
        break;
      case 'resources':
        place(entry, dim(`wrote to ${entry.resources.map(({ name }) => name).join(', ')}`), nodes.get(entry.of));
        break;
      case 'state':
        place(entry, dim(`state ${formatState(entry)}`), nodes.get(entry.of));
        break;
      default:
    }
  }
  return roots;

  function parentOf(seq: number | undefined): TraceNode | undefined {
    return seq === undefined ? undefined : nodes.get(seq);
  }
}

function selectEntries<K extends BundleEntry['kind']>(
  entries: readonly BundleEntry[],
  kind: K,
): readonly BundleEntry<K>[] {
  return entries.filter((entry): entry is BundleEntry<K> => entry.kind === kind);
}

function formatRun({ prompt, adapter, run }: BundleEntry<'run'>, end: BundleEntry<'end'> | undefined): TerminalText {
  const head = line`${bold(prompt)} ${dim(`${run} ${adapter}`)}`;
  if (end === undefined) return line`${head} ${yellow('did not end')}`;
  const { how, durationMs, usage, problem, cost } = end;
  const tokens = usage === undefined ? '' : ` ${String(usage.inputTokens)}→${String(usage.outputTokens)} tokens`;
  const price = cost === undefined ? '' : ` ${cost.toFixed(4)}`;
  const why = problem === undefined ? '' : line` ${red(shortenText(problem))}`;
  return line`${head} ${how === 'answered' ? green(how) : red(how)} ${formatMs(durationMs)}${tokens}${price}${why}`;
}

function formatAnswer({ turn }: BundleEntry<'request'>, answer: BundleEntry<'answer'> | undefined): TerminalText {
  const head = line`turn ${turn}`;
  if (answer === undefined) return line`${head} ${yellow('no answer')}`;
  const { text, problem, durationMs, usage } = answer;
  if (problem !== undefined) return line`${head} ${red(shortenText(problem))}`;
  const tokens = usage === undefined ? '' : ` ${String(usage.inputTokens)}→${String(usage.outputTokens)} tokens`;
  const said = text === undefined || text === null ? '' : ` ${shortenText(text)}`;
  return line`${head} ${dim(`${formatMs(durationMs)}${tokens}`)}${said}`;
}

function formatCall(
  { name, arguments: args, caller }: BundleEntry<'call'>,
  outcome: BundleEntry<'outcome'> | undefined,
): TerminalText {
  const head = line`${cyan(name)} ${dim(shortenText(typeof args === 'string' ? args : JSON.stringify(args)))}`;
  const by: LinePart = caller === 'program' ? magenta(' by program') : '';
  if (outcome === undefined) return line`${head}${by} ${yellow('did not end')}`;
  const kind = outcome.outcome === 'succeeded' ? green('✔') : red(`✘ ${outcome.outcome}`);
  const kept: LinePart = outcome.rolledBack === false ? red(' not rolled back') : '';
  return line`${head}${by} ${kind}${kept} ${dim(formatMs(outcome.durationMs))} ${shortenText(outcome.text)}`;
}

function formatState({ appended = {}, replaced = {} }: BundleEntry<'state'>): string {
  const added = Object.entries(appended).map(([name, values]) => `${name} +${String(values.length)}`);
  const set = Object.entries(replaced).map(([name, values]) => `${name} =${String(values.length)}`);
  return [...added, ...set].join(', ');
}

function formatMs(milliseconds: number): string {
  return milliseconds >= 1_000 ? `${(milliseconds / 1_000).toFixed(1)} s` : `${String(Math.round(milliseconds))} ms`;
}

function shortenText(text: string): string {
  return shorten(text, MAX_BUNDLE_TEXT_CHARS);
}

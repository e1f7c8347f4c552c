import type colors from 'picocolors';
import type { Bundle, BundleEntry } from '../../bundles/BundleEntry.js';
import { printable } from '../Terminal.js';
import type { TraceNode } from './tree.js';

type Colors = ReturnType<typeof colors.createColors>;
type Entry<K extends BundleEntry['kind']> = Extract<BundleEntry, { readonly kind: K }>;

const SHOWN = 100;

/** The runs of a bundle: their requests, the calls of each, and what belongs to those. */
export function bundleTrees({ entries }: Bundle, paint: Colors): readonly TraceNode[] {
  const roots: TraceNode[] = [];
  const nodes = new Map<number, TraceNode>();
  const turns = new Map<string, TraceNode>();
  const runs = new Map<string, TraceNode>();
  const outcomes = new Map(of(entries, 'outcome').map((outcome) => [outcome.of, outcome]));
  const answers = new Map(of(entries, 'answer').map((answer) => [answer.of, answer]));
  const ends = new Map(of(entries, 'end').map((end) => [end.run, end]));
  const place = (entry: BundleEntry, text: string, under: TraceNode | undefined): TraceNode => {
    const node = { text, children: [] };
    (under?.children ?? roots).push(node);
    nodes.set(entry.seq, node);
    return node;
  };
  for (const entry of entries) {
    switch (entry.kind) {
      case 'run':
        runs.set(entry.run, place(entry, runText(entry, ends.get(entry.run), paint), parentOf(entry.parent)));
        break;
      case 'request':
        turns.set(
          `${entry.run} ${String(entry.turn)}`,
          place(entry, answerText(entry, answers.get(entry.seq), paint), runs.get(entry.run)),
        );
        break;
      case 'call': {
        const turn = turns.get(`${entry.run} ${String(entry.turn)}`) ?? runs.get(entry.run);
        place(entry, callText(entry, outcomes.get(entry.seq), paint), parentOf(entry.parent) ?? turn);
        break;
      }
      case 'attempt':
        if (entry.attempt > 1) place(entry, paint.yellow(`attempt ${String(entry.attempt)}`), nodes.get(entry.of));
        break;
      case 'program':
        place(entry, `${paint.magenta('program')} ${paint.dim(short(entry.code))}`, parentOf(entry.of));
        break;
      case 'resources':
        place(entry, paint.dim(`wrote to ${entry.resources.map(({ name }) => name).join(', ')}`), nodes.get(entry.of));
        break;
      case 'state':
        place(entry, paint.dim(`state ${stateText(entry)}`), nodes.get(entry.of));
        break;
      default:
    }
  }
  return roots;

  function parentOf(seq: number | undefined): TraceNode | undefined {
    return seq === undefined ? undefined : nodes.get(seq);
  }
}

function of<K extends BundleEntry['kind']>(entries: readonly BundleEntry[], kind: K): readonly Entry<K>[] {
  return entries.filter((entry): entry is Entry<K> => entry.kind === kind);
}

function runText({ prompt, adapter, run }: Entry<'run'>, end: Entry<'end'> | undefined, paint: Colors): string {
  const head = `${paint.bold(prompt)} ${paint.dim(`${run} ${adapter}`)}`;
  if (end === undefined) return `${head} ${paint.yellow('did not end')}`;
  const { how, durationMs, usage, problem, cost } = end;
  const tokens = usage === undefined ? '' : ` ${String(usage.inputTokens)}→${String(usage.outputTokens)} tokens`;
  const price = cost === undefined ? '' : ` ${cost.toFixed(4)}`;
  const why = problem === undefined ? '' : ` ${paint.red(short(problem))}`;
  return `${head} ${how === 'answered' ? paint.green(how) : paint.red(how)} ${ms(durationMs)}${tokens}${price}${why}`;
}

function answerText({ turn }: Entry<'request'>, answer: Entry<'answer'> | undefined, paint: Colors): string {
  const head = `turn ${String(turn)}`;
  if (answer === undefined) return `${head} ${paint.yellow('no answer')}`;
  const { text, problem, durationMs, usage } = answer;
  if (problem !== undefined) return `${head} ${paint.red(short(problem))}`;
  const tokens = usage === undefined ? '' : ` ${String(usage.inputTokens)}→${String(usage.outputTokens)} tokens`;
  const said = text === undefined || text === null ? '' : ` ${short(text)}`;
  return `${head} ${paint.dim(`${ms(durationMs)}${tokens}`)}${said}`;
}

function callText(
  { name, arguments: args, caller }: Entry<'call'>,
  outcome: Entry<'outcome'> | undefined,
  paint: Colors,
): string {
  const head = `${paint.cyan(name)} ${paint.dim(short(typeof args === 'string' ? args : JSON.stringify(args)))}`;
  const by = caller === 'program' ? paint.magenta(' by program') : '';
  if (outcome === undefined) return `${head}${by} ${paint.yellow('did not end')}`;
  const kind = outcome.outcome === 'succeeded' ? paint.green('✔') : paint.red(`✘ ${outcome.outcome}`);
  const kept = outcome.rolledBack === false ? paint.red(' not rolled back') : '';
  return `${head}${by} ${kind}${kept} ${paint.dim(ms(outcome.durationMs))} ${short(outcome.text)}`;
}

function stateText({ appended = {}, replaced = {} }: Entry<'state'>): string {
  const added = Object.entries(appended).map(([name, values]) => `${name} +${String(values.length)}`);
  const set = Object.entries(replaced).map(([name, values]) => `${name} =${String(values.length)}`);
  return [...added, ...set].join(', ');
}

function ms(milliseconds: number): string {
  return milliseconds >= 1_000 ? `${(milliseconds / 1_000).toFixed(1)} s` : `${String(Math.round(milliseconds))} ms`;
}

function short(text: string): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}

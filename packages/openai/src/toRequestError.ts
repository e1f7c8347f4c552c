import { PromptEvaluationError } from 'toolwright';
import { isRecord } from 'toolwright/internal/light';

/** The parts of a request that a host may not know. */
interface Refusable {
  readonly tools?: unknown;
  readonly input?: unknown;
}

/** A feature of the API, the entries of a request that use it, and the option that does without it. */
interface Feature {
  readonly problem: string;
  readonly option: string;
  /** The types of its items and tools, as messages of a host name them. */
  readonly types: ReadonlySet<unknown>;
  /** Who carries them out, if they say so. */
  readonly execution: 'client' | undefined;
}

const FEATURES: readonly Feature[] = [
  {
    problem: 'may not take tools in the middle of a conversation (additional_tools)',
    option: 'additionalTools: false',
    types: new Set(['additional_tools']),
    execution: undefined,
  },
  {
    problem: 'may not take a search that the client answers (tool_search)',
    option: 'toolSearch: false',
    types: new Set(['tool_search', 'tool_search_call', 'tool_search_output']),
    execution: 'client',
  },
];

/**
 * Returns the error of a failed request. If the host does not know a newer part of the API, the error gets a remedy; any other error is
 * returned unchanged.
 *
 * @param adapter the name that the error shows
 * @param request the request, as far as it was written
 */
export function toRequestError(adapter: string, request: Refusable, error: unknown): unknown {
  if (!(error instanceof PromptEvaluationError) || error.phase !== 'request') return error;
  const { cause, message } = error;
  const isBad = isRecord(cause) && (cause['status'] === 400 || cause['status'] === 422);
  const feature = isBad ? FEATURES.find((each) => isRefused(message, each, request)) : undefined;
  if (feature === undefined) return error;
  return new PromptEvaluationError(`${adapter} ${feature.problem}: ${message}`, {
    phase: 'request',
    remedy: `Create the adapter with ${feature.option}, and begin a new conversation.`,
    cause,
  });
}

/** Returns true if the host complains about an entry of these types, by its type or by its position. */
function isRefused(message: string, { types, execution }: Feature, { tools, input }: Refusable): boolean {
  const isMeant = (entry: unknown): boolean =>
    isRecord(entry) && types.has(entry['type']) && entry['execution'] === execution;
  const entries = { tools: toList(tools), input: toList(input) };
  if (![...entries.tools, ...entries.input].some(isMeant)) return false;
  const [, list, place] = /\b(tools|input)[[.](\d+)/.exec(message) ?? [];
  const isNamed = [...types].some((type) => message.includes(String(type)));
  return isNamed || (place !== undefined && isMeant(entries[list as keyof typeof entries][Number(place)]));
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

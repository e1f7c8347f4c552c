import { isJson, type Json } from './json';

/** One thing for which the provider answers 400. */
export interface RequestRule {
  readonly id: string;
  /** The demand, in a sentence. */
  readonly what: string;
  /** The faults of the request, each with its place, with the provider's own message if it is known. */
  check(body: Json): readonly string[];
}

/** The reasons of a refusal. */
export interface RequestProblem {
  readonly rule: string;
  readonly message: string;
}

/** Everything that the rules find wrong with the body of a request. */
export function problemsBy(rules: readonly RequestRule[], body: unknown): readonly RequestProblem[] {
  if (!isJson(body)) return [{ rule: 'body', message: 'The body of the request is no JSON object.' }];
  return rules.flatMap((rule) => rule.check(body).map((message) => ({ rule: rule.id, message })));
}

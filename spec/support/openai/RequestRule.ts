import { isJson, type Json } from './json';

/** One thing for which the provider answers 400. */
export interface RequestRule {
  readonly id: string;
  /** What it demands, in a sentence. */
  readonly what: string;
  /** What is wrong with the request, each with its place, in the provider's own words where they are known. */
  check(body: Json): readonly string[];
}

/** What a request was refused for. */
export interface RequestProblem {
  readonly rule: string;
  readonly message: string;
}

/** Everything that the rules find wrong with the body of a request. */
export function problemsBy(rules: readonly RequestRule[], body: unknown): readonly RequestProblem[] {
  if (!isJson(body)) return [{ rule: 'body', message: 'The body of the request is no JSON object.' }];
  return rules.flatMap((rule) => rule.check(body).map((message) => ({ rule: rule.id, message })));
}

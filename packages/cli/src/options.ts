import { InvalidArgumentError, type Command } from 'commander';

/** The formats of the findings of `check`. */
export const REPORT_FORMATS = ['text', 'json', 'sarif', 'github'] as const;

/** The kinds of changes that `check --against` finds. */
export const CHANGE_KINDS = ['prefix', 'tools', 'arguments', 'outcome', 'state'] as const;

/** The faults that `prove` puts tools under. `call` is a call without a fault. */
export const FAULTS = [
  'call',
  'throw',
  'kill',
  'timeout',
  'cancel',
  'double',
  'conflict',
  'denied',
  'hostile',
] as const;

export const TOOL_FORMATS = [
  'json-schema',
  'openai',
  'openai-responses',
  'anthropic',
  'gemini',
  'mcp',
  'ai-sdk',
] as const;

export const TEST_RUNNERS = ['node', 'jest', 'vitest'] as const;

export function addApplicationOptions(command: Command): Command {
  return command
    .option('-a, --app <path[#export]>', 'the module that exports the application (default: toolwright.config.ts)')
    .option('-p, --prompt <ns/key>', 'the prompt, where the application has several')
    .option('--json', 'write the result as JSON')
    .option('--verbose', 'show where an error was thrown');
}

export function addMetadataOption(command: Command): Command {
  return command.option(
    '--metadata <name=value>',
    "an entry of the run's runMetadata, such as user=1; repeat it for others",
    collectOption,
  );
}

/** Adds the option that shows secrets to a person. */
export function addSecretsOption(command: Command): Command {
  return command.option(
    '--show-secrets',
    'show secret arguments as they are; only at a terminal, and never with --json',
  );
}

/** Adds the option that shows summarised sections in full. */
export function addOpenOption(command: Command): Command {
  return command.option(
    '--open <path>',
    'show a summarised section in full, or "all"; repeat it for others',
    collectOption,
  );
}

export function collectOption(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('A count is 1 to 9999.');
  return Number(text);
}

export function parseSeed(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A seed is 0 to 999999999.');
  return Number(text);
}

export function parsePort(text: string): number {
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number > 65_535) throw new InvalidArgumentError('A port is 0 to 65535.');
  return number;
}

/** A kind of project that `init` writes and `add` recognises. */
export type ProjectKind = 'plain' | 'nest';

export type TestRunner = (typeof TEST_RUNNERS)[number];

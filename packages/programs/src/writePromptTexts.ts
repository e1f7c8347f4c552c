import type { ToolMetadata } from 'toolwright/types';
import { writeDeclarations } from './declare/writeDeclarations.js';
import { PROGRAM_TOOL } from './program/createProgramTool.js';
import type { ProgramSettings } from './ProgramSettings.js';

// The texts that describe programs to a model, which share their wording.

/** The settings that the texts depend on. */
export type SurfaceSettings = Pick<ProgramSettings, 'showsResults' | 'preamble' | 'postamble'>;

const NO_TOOLS = 'No tools are available.';

/** Writes the text of a system prompt for models that answer with a program as text. */
export function writePromptText(tools: readonly ToolMetadata[], settings: SurfaceSettings): string {
  if (tools.length === 0) return NO_TOOLS;
  return joinParts([
    settings.preamble,
    'You can call these tools from a TypeScript program. To use them, answer with one program in a ```ts block.',
    writeFencedDeclarations(tools, settings),
    writeRules(settings, 'Write one program per answer.'),
    settings.postamble,
  ]);
}

/** Writes the text of a system prompt for models that send programs through `execute_program`. */
export function writeToolPromptText(tools: readonly ToolMetadata[], settings: SurfaceSettings): string {
  if (tools.length === 0) return NO_TOOLS;
  return joinParts([
    settings.preamble,
    `Where a task takes several tool calls, a loop or a calculation, send one program to ${PROGRAM_TOOL} instead of calling tools one by one. In the program, these functions are the tools:`,
    writeSignatures(tools, settings),
    writeRules(settings, ONE_PROGRAM),
    settings.postamble,
  ]);
}

/** Writes the description of the parameter `code` of `execute_program`. */
export function writeCodeText(tools: readonly ToolMetadata[], settings: SurfaceSettings): string {
  if (tools.length === 0) return `The program, in TypeScript. ${NO_TOOLS}`;
  return joinParts([
    settings.preamble,
    'The program, in TypeScript. It can call these tools:',
    writeFencedDeclarations(tools, settings),
    writeRules(settings, ONE_PROGRAM),
    settings.postamble,
  ]);
}

const ONE_PROGRAM = 'Send one program per call.';

function writeRules({ showsResults }: SurfaceSettings, oneProgram: string): string {
  return [
    'Rules:',
    '- The tools and the helpers are there already: import nothing.',
    `- ${oneProgram}`,
    '- `await` every tool call. Make independent calls together, with `Promise.all([…])` or `parallel(list, { limit })`.',
    '- `return` the value that is asked for, or end with an expression; `console.log` is for notes on the way.',
    showsResults
      ? '- Results are as declared: use them at once, in the same program.'
      : '- What results look like is not declared: print or return them whole, and read them before you index into them.',
  ].join('\n');
}

function writeFencedDeclarations(tools: readonly ToolMetadata[], { showsResults }: SurfaceSettings): string {
  return `\`\`\`ts\n${writeDeclarations(tools, { results: showsResults })}\n\`\`\``;
}

/** Returns the declarations without their comments. */
function writeSignatures(tools: readonly ToolMetadata[], settings: SurfaceSettings): string {
  return writeFencedDeclarations(
    tools.map((tool) => ({ ...tool, description: '' })),
    settings,
  );
}

function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

import { createCodeTable, type CodeText } from './CodeText.js';

/** Programs, their sandbox and their toolkit: E651-E675: what to do. */
export const programRemedies = createCodeTable({
  E651: 'Run npm install quickjs-wasi@3.6.2, or give the toolkit another sandbox.',
  E652: 'Give a number within the range that the message names.',
  E653: 'Create a new sandbox, or close it later.',
  E654: 'Do not run programs of models in this engine.',
  E661: "Give the tool another name, or keep it from programs with callers: ['direct'].",
  E662: "Rename one of them, or keep it from programs with callers: ['direct'].",
  E663: 'Run npm install acorn sucrase.',
  E664: 'Look for what keeps worker threads from starting: memory, process limits, a bundler that left out the file.',
  E665: 'Write the program shorter and flatter, as the hint says.',
  E666: 'Do not repeat what was denied; set maxDenials if programs of yours need more.',
  E667: 'Run the program again when another one has ended, or raise the quota that the message names.',
  E671: 'Correct the entry that the message names; make a function a tool with toolFrom(fn, …).',
  E672: 'Correct the option that the message names, or leave it out.',
  E673: 'Call the tool through app.callTool or a run, or use toolkit.execute.',
  E674: 'Use one of the names that the message lists.',
  E675: 'Do what the message says.',
});

/** What the codes mean, for docs/errors.md. */
export const programTexts: Readonly<Record<keyof typeof programRemedies, CodeText>> = {
  E651: {
    title: 'Engine of programs is missing',
    meaning: 'QuickJsSandbox runs programs in quickjs-wasi, which is an optional peer of @toolwright/programs.',
  },
  E652: {
    title: 'Impossible limits or options of a sandbox',
    meaning: 'A limit that is not a positive number, or that the engine cannot enforce, would limit nothing.',
  },
  E653: {
    title: 'Sandbox is closed',
    meaning: 'close() has ended the workers of the sandbox; programs cannot be run in it any more.',
  },
  E654: {
    title: 'Engine violates its contract',
    meaning:
      'A check of the engine conformance kit found that programs get something, or do something, that they must not.',
  },
  E661: {
    title: 'Tool name that no program can use',
    meaning:
      'In a program a tool is a function; its name, with _ for what no identifier may hold, must not be a reserved word of the language or a global of programs.',
  },
  E662: {
    title: 'Two tools with one name in programs',
    meaning: 'Names that differ only in characters that no identifier may hold become the same function in a program.',
  },
  E663: {
    title: 'Library that reads programs is missing',
    meaning: 'Programs are read with acorn and sucrase, which are optional peers of @toolwright/programs.',
  },
  E664: {
    title: 'Programs cannot be checked',
    meaning: 'The worker thread in which programs are read before they run did not start.',
  },
  E665: {
    title: 'Program whose check takes too long',
    meaning:
      'A program has at most 1,000,000 characters and 250 levels of syntax within each other, and its check takes at most two seconds, which count in its own time limit. It is refused, and nothing of it runs.',
  },
  E666: {
    title: 'Program whose calls are denied again and again',
    meaning:
      'After maxDenials denied calls, 10 by default, a program ends and is rolled back: it would only go on asking.',
  },
  E667: {
    title: 'Too many programs at a time',
    meaning:
      'As many programs of the sandbox, the toolkit, the session or the principal are under way as quotas allows, those that wait included. Nothing of the refused one ran.',
  },
  E671: {
    title: 'Toolkit entry that is not a tool',
    meaning:
      'A toolkit consists of a rendered prompt with its application, or of a list: classes and instances with @Tool methods, results of defineTool or toolFrom, and tools with a Standard Schema.',
  },
  E672: {
    title: 'Option of programs that does not fit',
    meaning:
      'Limits are whole numbers above 0; check and format name what the docs list; retry has a handler, which returns the source of the next program.',
  },
  E673: {
    title: 'Program outside of a call',
    meaning: 'The handler of execute_program runs its program within the call that an application dispatched.',
  },
  E674: {
    title: 'No such tool in the toolkit',
    meaning: 'A tool was requested that the toolkit does not contain, or a filter excludes all tools.',
  },
  E675: {
    title: 'Function that cannot be made a tool',
    meaning:
      'toolFrom takes a function with a name, params that name each of its parameters in order, and a description, in doc or in the options.',
  },
};

import { createCodeTable, type CodeText } from './CodeText.js';

/** Remedies for programs, sandboxes and toolkits: E651-E675. */
export const programRemedies = createCodeTable({
  E651: 'Run npm install quickjs-wasi@3.6.2, or give the toolkit another sandbox.',
  E652: 'Give a number within the range that the message names.',
  E653: 'Create a new sandbox, or close this one later.',
  E654: 'Do not run programs of models in this engine.',
  E661: "Give the tool another name, or exclude it from programs with callers: ['direct'].",
  E662: "Rename one of them, or exclude it from programs with callers: ['direct'].",
  E663: 'Run npm install acorn sucrase.',
  E664: 'Find out why worker threads do not start: memory, process limits, or a bundler that left out the file.',
  E665: 'Write a shorter and flatter program, as the hint says.',
  E666: 'Do not repeat denied calls. Raise maxDenials if your programs need more.',
  E667: 'Run the program again after another one has ended, or raise the quota that the message names.',
  E671: 'Correct the entry that the message names. Turn a function into a tool with toolFrom(fn, …).',
  E672: 'Correct the option that the message names, or leave it out.',
  E673: 'Call the tool through app.callTool or a run, or use toolkit.execute.',
  E674: 'Use one of the names that the message lists.',
  E675: 'Follow the message.',
});

/** Titles and meanings of these codes, for docs/errors.md. */
export const programTexts: Readonly<Record<keyof typeof programRemedies, CodeText>> = {
  E651: {
    title: 'Engine for programs is missing',
    meaning: 'QuickJsSandbox runs programs in quickjs-wasi, an optional peer of @toolwright/programs.',
  },
  E652: {
    title: 'Invalid limits or options of a sandbox',
    meaning: 'A limit must be a positive number that the engine can enforce. Any other limit would have no effect.',
  },
  E653: {
    title: 'Sandbox is closed',
    meaning: 'close() has ended the workers of the sandbox. It can no longer run programs.',
  },
  E654: {
    title: 'Engine violates its contract',
    meaning: 'A check of the engine conformance kit found that programs can reach or do something forbidden.',
  },
  E661: {
    title: 'Tool name cannot be used in programs',
    meaning:
      'A program calls a tool as a function. Its name, with _ for characters that an identifier cannot contain, must not be a reserved word or a global of programs.',
  },
  E662: {
    title: 'Two tools have the same name in programs',
    meaning:
      'Names that differ only in characters that an identifier cannot contain become the same function in a program.',
  },
  E663: {
    title: 'Parser for programs is missing',
    meaning: 'Programs are parsed with acorn and sucrase, optional peers of @toolwright/programs.',
  },
  E664: {
    title: 'Programs cannot be checked',
    meaning: 'Programs are parsed in a worker thread before they run. That thread did not start.',
  },
  E665: {
    title: 'Program takes too long to check',
    meaning:
      'A program has at most 1,000,000 characters and 250 nested levels of syntax. Its check takes at most two seconds, which count towards its time limit. The program was refused and nothing of it ran.',
  },
  E666: {
    title: 'Program repeats denied calls',
    meaning:
      'After maxDenials denied calls, 10 by default, a program ends and is rolled back: it would only go on asking.',
  },
  E667: {
    title: 'Too many concurrent programs',
    meaning:
      'The sandbox, the toolkit, the session or the principal has as many programs as its quota allows, waiting ones included. Nothing of the refused program ran.',
  },
  E671: {
    title: 'Toolkit entry is not a tool',
    meaning:
      'A toolkit is created from a rendered prompt with its application, or from a list of classes and instances with @Tool methods, results of defineTool or toolFrom, and tools with a Standard Schema.',
  },
  E672: {
    title: 'Invalid option of programs',
    meaning:
      'Limits are whole numbers above 0. check and format take the values in the docs. retry has a handler, which returns the source of the next program.',
  },
  E673: {
    title: 'Program outside a call',
    meaning: 'The handler of execute_program runs its program within a call that an application dispatched.',
  },
  E674: {
    title: 'Unknown tool in the toolkit',
    meaning: 'The toolkit does not contain the requested tool, or a filter excludes all tools.',
  },
  E675: {
    title: 'Function cannot become a tool',
    meaning:
      'toolFrom takes a function with a name, params that name each of its parameters in order, and a description in doc or in the options.',
  },
};

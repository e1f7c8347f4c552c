import { createCodeTable, type CodeText } from './CodeText.js';

/** The command line: E961-E979: what to do. */
export const cliRemedies = createCodeTable({
  E961: 'Name a file that exists: --app src/app.ts, or write toolwright.config.ts.',
  E962: 'Export an application, or a function that creates one: export default () => createApplication({ prompts: [X] }).',
  E963: 'Correct the error in the module; the cause has its place.',
  E964: 'Correct the syntax, or name the built file: --app dist/app.js. Without a compiler, run npm install --save-dev typescript@6; beside TypeScript 7, @typescript/typescript6.',
  E965: 'Name one of the prompts: --prompt ns/key.',
  E966: 'Name one of the tools: toolwright tools lists them.',
  E967: 'Give JSON: \'{"id": 1}\', @file for the contents of a file, or - for standard input.',
  E968: 'Give --param name=value or --param name=@file, with the name of a property of a params class.',
  E969: 'Install the package that the message names.',
  E970: 'Give a file that can be read, in the format that the message names.',
  E971: 'Export an adapter beside the application (export const adapter = …), or give --script replies.json.',
  E972: 'Take an empty folder: toolwright init my-agent. In an application that exists, run toolwright add.',
  E973: 'See toolwright help, and that of the command: toolwright help render.',
  E974: 'Give a code as errors show it, such as E304, or a page, such as docs/cli.md.',
  E975: 'Move or rename the files, and run toolwright add again.',
  E976: 'Add the lines that the message shows.',
  E977: 'Add the settings that the message shows.',
  E978: 'Change the range that the message names.',
  E979: 'Look for a promise that a handler, a guard or the module awaits and nothing settles, such as the answer of a person on another route.',
});

/** What the codes mean, for docs/errors.md. */
export const cliTexts: Readonly<Record<keyof typeof cliRemedies, CodeText>> = {
  E961: {
    title: 'No module with the application',
    meaning:
      'The command line looks for toolwright.config.ts (or .mts, .cts, .js, .mjs, .cjs), or takes the file of --app.',
  },
  E962: {
    title: 'Module without an application',
    meaning:
      'The module exports neither an application, nor a function that returns one, as default, as app, or under the name after # in --app.',
  },
  E963: {
    title: 'Module of the application failed',
    meaning: 'The module, or the function that it exports, threw while it was loaded.',
  },
  E964: {
    title: 'Source that cannot be compiled',
    meaning:
      'The command line compiles with typescript 6 or older, with @typescript/typescript6 beside TypeScript 7, or with @swc/core. There is none of them, or the source has an error of syntax.',
  },
  E965: {
    title: 'No such prompt, or more than one',
    meaning: 'A command works on one prompt; an application with several needs its name.',
  },
  E966: {
    title: 'No such tool on the command line',
    meaning: 'The rendering offers no tool of this name: it may belong to a section that is disabled or summarised.',
  },
  E967: {
    title: 'Invalid JSON on the command line',
    meaning: 'The text is no JSON; the message has the line and the column.',
  },
  E968: {
    title: 'Parameter that does not fit',
    meaning:
      'No section of the prompt takes a parameter of this name, the value does not fit its class, or metadata has no name.',
  },
  E969: {
    title: 'Package of a command is missing',
    meaning: 'The command needs an optional package that is not installed in the project.',
  },
  E970: {
    title: 'File that cannot be used',
    meaning: 'A file that was named cannot be read or written, or is in another format.',
  },
  E971: {
    title: 'No model to run with',
    meaning: 'A conversation needs a model adapter, which the module exports as adapter, or a script of replies.',
  },
  E972: {
    title: 'Folder is not empty',
    meaning: 'A new project is written into an empty folder only: nothing is ever overwritten.',
  },
  E973: {
    title: 'Usage of the command line',
    meaning: 'An option or argument is unknown, missing, or has a value that it does not take.',
  },
  E974: {
    title: 'No such error code or page',
    meaning: 'Toolwright reports no failure of this code, or the package has no such page or section.',
  },
  E975: {
    title: 'File is already there',
    meaning: 'A file that toolwright add would write exists. It overwrites no file, and has changed nothing.',
  },
  E976: {
    title: 'Root module that cannot be edited',
    meaning:
      'toolwright add edits the module that NestFactory starts, where its decorator has a list of imports, or none. Here it finds several modules or none, or cannot read them, and leaves that step to you.',
  },
  E977: {
    title: 'Compiler settings that cannot be edited',
    meaning:
      'Declarations need experimentalDecorators and emitDecoratorMetadata. There is no tsconfig.json, it refers to other projects, or the runner ignores both settings.',
  },
  E978: {
    title: 'Package in a version that does not fit',
    meaning:
      'package.json has a package that Toolwright needs in another version. toolwright add never changes a range.',
  },
  E979: {
    title: 'Command that would wait for ever',
    meaning:
      'The command has not ended, and no timer, socket or file is left that could bring it further. Without this error, Node would end the process with exit code 0 and no output.',
  },
};

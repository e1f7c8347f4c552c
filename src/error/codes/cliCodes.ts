import { createCodeTable, type CodeText } from './CodeText.js';

/** Remedies for the command line: E961-E979. */
export const cliRemedies = createCodeTable({
  E961: 'Name an existing file (--app src/app.ts), or write toolwright.config.ts.',
  E962: 'Export an application, or a function that creates one: export default () => createApplication({ prompts: [X] }).',
  E963: 'Correct the error in the module; the cause shows where it is.',
  E964: 'Correct the syntax, or name the built file: --app dist/app.js. If no compiler is installed, run npm install --save-dev typescript@6; beside TypeScript 7, @typescript/typescript6.',
  E965: 'Name one of the prompts: --prompt ns/key.',
  E966: 'Name an existing tool: toolwright tools lists them.',
  E967: 'Give JSON: \'{"id": 1}\', @file for the contents of a file, or - for standard input.',
  E968: 'Write --param name=value or --param name=@file, where name is a property of a params class.',
  E969: 'Install the package that the message names.',
  E970: 'Give a readable file in the format that the message names.',
  E971: 'Export an adapter beside the application (export const adapter = …), or pass --script replies.json.',
  E972: 'Choose an empty folder: toolwright init my-agent. In an existing application, run toolwright add.',
  E973: 'See toolwright help, or the help of the command: toolwright help render.',
  E974: 'Give a code such as E304, or a page such as docs/cli.md.',
  E975: 'Move or rename the files, and run toolwright add again.',
  E976: 'Add the lines that the message shows.',
  E977: 'Add the settings that the message shows.',
  E978: 'Change the range that the message names.',
  E979: 'Look for a promise that a handler, a guard or the module awaits and that nothing settles, such as an approval that arrives through another route.',
});

/** Titles and meanings of these codes, for docs/errors.md. */
export const cliTexts: Readonly<Record<keyof typeof cliRemedies, CodeText>> = {
  E961: {
    title: 'Module with the application not found',
    meaning:
      'The command line looks for toolwright.config.ts (or .mts, .cts, .js, .mjs, .cjs), or uses the file given with --app.',
  },
  E962: {
    title: 'Module exports no application',
    meaning:
      'The module exports neither an application nor a function that returns one, as default, as app, or under the name after # in --app.',
  },
  E963: {
    title: 'Module of the application failed',
    meaning: 'The module, or the function that it exports, threw an error while it was loaded.',
  },
  E964: {
    title: 'Source cannot be compiled',
    meaning:
      'The command line compiles with typescript 6 or older, with @typescript/typescript6 beside TypeScript 7, or with @swc/core. None of them is installed, or the source has a syntax error.',
  },
  E965: {
    title: 'Prompt is unknown or ambiguous',
    meaning: 'A command works on one prompt. If the application has several, name one.',
  },
  E966: {
    title: 'Unknown tool on the command line',
    meaning: 'The rendering offers no tool of this name. The tool may belong to a disabled or summarised section.',
  },
  E967: {
    title: 'Invalid JSON on the command line',
    meaning: 'The text is not valid JSON. The message gives the line and the column.',
  },
  E968: {
    title: 'Parameter does not match',
    meaning:
      'No section of the prompt takes a parameter of this name, the value does not match its class, or a metadata entry has no name.',
  },
  E969: {
    title: 'Package needed by a command is missing',
    meaning: 'The command needs an optional package that the project has not installed.',
  },
  E970: {
    title: 'File cannot be used',
    meaning: 'The named file cannot be read or written, or has another format.',
  },
  E971: {
    title: 'No model to run with',
    meaning: 'A conversation needs a model adapter, exported by the module as adapter, or a script of replies.',
  },
  E972: {
    title: 'Folder is not empty',
    meaning: 'A new project is written only into an empty folder. Nothing is ever overwritten.',
  },
  E973: {
    title: 'Wrong usage of the command line',
    meaning: 'An option or argument is unknown, missing or invalid.',
  },
  E974: {
    title: 'Unknown error code or page',
    meaning: 'Toolwright has no error of this code, or the package does not contain the page or section.',
  },
  E975: {
    title: 'File already exists',
    meaning:
      'A file that toolwright add would write already exists. The command overwrites no files and has changed nothing.',
  },
  E976: {
    title: 'Root module cannot be edited',
    meaning:
      'toolwright add edits the module that NestFactory starts, if its decorator has a list of imports or none. Here it found several modules or none, or could not read them, and leaves this step to you.',
  },
  E977: {
    title: 'Compiler settings cannot be edited',
    meaning:
      'Decorators need experimentalDecorators and emitDecoratorMetadata. tsconfig.json is missing or refers to other projects, or the runner ignores both settings.',
  },
  E978: {
    title: 'Package has an unsuitable version',
    meaning:
      'package.json lists another version of a package than Toolwright needs. toolwright add never changes a range.',
  },
  E979: {
    title: 'Command would wait for ever',
    meaning:
      'The command has not ended, but no timer, socket or file is open that could continue it. Without this error, Node would end the process with exit code 0 and no output.',
  },
};

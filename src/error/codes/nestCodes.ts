import { createCodeTable, type CodeText } from './CodeText.js';

/** Remedies for the Nest integration: E951-E957. */
export const nestRemedies = createCodeTable({
  E951: 'List the class in the providers of a module that has its dependencies, or in ToolwrightModule.forFeature([…]).',
  E952: 'Provide it in one module, and export it from there.',
  E953: 'Begin the run within toolwright.withRequest(request, …), or name its request in ToolwrightModule.forRoot({ requestFor }).',
  E954: 'Use it from onApplicationBootstrap on. In tests, call init() on the Nest application first.',
  E955: 'Give runs more time with ToolwrightModule.forRoot({ graceMs }), or run them in conversations, which another process can continue.',
  E956: 'List the class with @Prompt in the providers of a module, in forFeature([…]) or in forRoot({ prompts }).',
  E957: "Check host.getType() first: it is 'toolwright' for a tool call. A filter maps the error as always, and ends with if (host.getType() !== 'http') throw mapped, before it writes to a response; an interceptor returns next.handle().",
});

/** Titles and meanings of these codes, for docs/errors.md. */
export const nestTexts: Readonly<Record<keyof typeof nestRemedies, CodeText>> = {
  E951: {
    title: 'Class is not a Nest provider',
    meaning: 'No module provides a section or tool class of a prompt, or Nest could not build the class.',
  },
  E952: {
    title: 'Several modules provide a class',
    meaning: 'Two modules provide a section or tool class, each with its own instance and guards.',
  },
  E953: {
    title: 'No request for a request-scoped class',
    meaning:
      'A request-scoped class, guard, pipe, interceptor or filter was used by a call of a run that has no request, or whose request is over.',
  },
  E954: {
    title: 'Toolwright used too early',
    meaning: 'The application is created when Nest initialises its modules. It was used before that.',
  },
  E955: {
    title: 'Host was shut down',
    meaning:
      'The Nest application was closed and its grace period is over. Calls that were still running were ended and rolled back.',
  },
  E956: {
    title: 'No prompt among the providers',
    meaning: 'Neither forRoot nor forFeature names a prompt, and no module of the Nest application provides one.',
  },
  E957: {
    title: 'HTTP filter around a tool call',
    meaning:
      'A filter, interceptor or guard wrote to the HTTP response of a tool call, which has none, or failed because an HTTP object is missing. If it had received an error, the model and the log get that error.',
  },
};

import { createCodeTable, type CodeText } from './CodeText.js';

/** Remedies for containers and applications: E401-E415. */
export const applicationRemedies = createCodeTable({
  E401: 'Register the class or value with the container, or give the parameter a class type that the container can build.',
  E402: 'Break the cycle: inject a factory, or move the shared part into a third class.',
  E403: 'List the class in createApplication({ prompts }).',
  E404: 'Ask for it in the handler: context.resources.get(X).',
  E410: 'Create another application, or close this one later.',
  E411: 'Write app.evaluate(app.prompt(X), { adapter, session }), or app.callTool(await app.prompt(X).render({ session }), { id, name, arguments }, { session }).',
  E412: "Pass a list of { role: 'user', content }, { role: 'assistant', content, toolCalls } and { role: 'tool', toolCallId, name, content, failed }, each result directly after its call.",
  E413: 'Correct the name or the value, or leave the option out; the types list every option.',
  E414: 'Correct the function that you passed to createApplication under that name: it must return a value of its type synchronously and must not throw.',
  E415: 'Install the package that the message names.',
});

/** Titles and meanings of these codes, for docs/errors.md. */
export const applicationTexts: Readonly<Record<keyof typeof applicationRemedies, CodeText>> = {
  E401: {
    title: 'Service cannot be built',
    meaning: 'The container could not provide a class that a section needs. The message shows the path to it.',
  },
  E402: {
    title: 'Constructors form a cycle',
    meaning: 'Each of the named classes needs the next one before it can be built.',
  },
  E403: {
    title: 'Prompt is not part of the application',
    meaning: 'An application validates the prompts that it is created with, and can use only those.',
  },
  E404: {
    title: 'Constructor requests an object of a single call',
    meaning:
      'Sections and class tools are built once, when the application is created. If one of them held the context or a resource of a call, every call of every session would share it, and it would not be rolled back.',
  },
  E410: {
    title: 'Application is closed',
    meaning: 'app.close() was called. Runs and calls that had begun are completed; new ones are refused.',
  },
  E411: {
    title: 'Run or call got the wrong object',
    meaning:
      'A run needs a prompt or its rendering, and an adapter. A call needs a rendering and a tool call. Code without types can pass anything else.',
  },
  E412: {
    title: 'Messages are malformed',
    meaning:
      'A provider would refuse or misread these messages: a role or text is missing, a call lacks its result or a result its call, parts are malformed, a system message is present, or a field is set that only Toolwright writes. Nothing was sent.',
  },
  E413: {
    title: 'Unknown option or invalid value',
    meaning:
      'An option has an unknown name, or an option or argument has an invalid value. Ignoring it would hide the mistake.',
  },
  E414: {
    title: 'A port of the application failed',
    meaning:
      'clock, ids, random, tokenEstimator, redact or the event bus threw, or returned a value of the wrong type. Toolwright used its default, hid the text that it could not redact, and continued the call. Sections stay closed if there is no token estimate (E512). Each fault is logged once.',
  },
  E415: {
    title: 'Optional package is missing',
    meaning: 'The named function or option needs an optional package that the project has not installed.',
  },
};

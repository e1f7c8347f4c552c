import { createCodeTable, type CodeText } from './CodeText.js';

/** Rendering, overrides and declared outputs: E501-E531: what to do. */
export const renderingRemedies = createCodeTable({
  E501: 'Bind one: prompt.bind(Class, { … }).',
  E502: 'Correct the hook; the cause is attached.',
  E503: 'Bind a value, or give the property a default; give an object a toString of its own, or bind its text.',
  E510: 'Give it a summary in @Section; an empty one leaves the heading and the way to open it.',
  E511: 'Use SectionVisibility.FULL or SectionVisibility.SUMMARY.',
  E512: 'Give createApplication a function that returns the number at once, or leave tokenEstimator out.',
  E520: 'Compare with prompt.descriptor, which lists what may be overridden.',
  E521: 'Look at the declared text again, adapt the override, and write it with the hash of prompt.descriptor.',
  E522: 'Use a tag such as "latest" or "experiment-2"; it begins with a letter or digit.',
  E523: 'Correct the override: write ${name} for a property, and $$ for a dollar sign.',
  E524: 'Give { sections: { path: { body } }, tools: { name: { description, params, examples } } }.',
  E525: 'Repair or delete what the message names; a prompt without overrides is rendered as declared.',
  E526: 'Give one: createApplication({ overrides: new FileOverridesStore(folder) }).',
  E527: 'Correct the override under the tag that the message names.',
  E530: 'Look at issues and rawText: describe the fields, loosen the class, or set allowExtraKeys.',
  E531: "Look at rawText: raise the provider's limit on output tokens, or change what is asked for.",
});

/** What the codes mean, for docs/errors.md. */
export const renderingTexts: Readonly<Record<keyof typeof renderingRemedies, CodeText>> = {
  E501: {
    title: 'Params of a section are missing',
    meaning: 'No instance was bound, no default exists, and the class cannot be constructed without values.',
  },
  E502: {
    title: 'Hook of a section failed',
    meaning: 'enabled, visibility or renderBody threw, or returned a value of another type.',
  },
  E503: {
    title: 'Placeholder has no value',
    meaning:
      'The property is undefined at rendering, or holds an object whose text only names its type, such as "[object Object]". null renders as nothing, undefined is treated as a mistake.',
  },
  E510: {
    title: 'Summarised section has no summary',
    meaning: 'A section is to be shown as its summary, by its declaration, a hook or an override, and has none.',
  },
  E511: {
    title: 'Invalid visibility',
    meaning: 'An override of a section is neither full nor summary.',
  },
  E512: {
    title: 'Tokens cannot be counted',
    meaning:
      'The tokenEstimator of the application returned something other than a number from 0 up, such as a promise.',
  },
  E520: {
    title: 'Override of what cannot be overridden',
    meaning:
      'Only texts of known sections and tools that accept overrides can be replaced: bodies, summaries, descriptions and examples. Names, types and structure cannot.',
  },
  E521: {
    title: 'Override of a text that has changed',
    meaning:
      'The override was written for a text that the declaration no longer holds. It is refused when it is written, and skipped when the prompt is rendered.',
  },
  E522: {
    title: 'Malformed tag of overrides',
    meaning: 'A tag names a set of overrides, and a file: 1 to 64 of a-z, 0-9, dot, hyphen and underscore.',
  },
  E523: {
    title: 'Overriding text that cannot be rendered',
    meaning:
      "An overriding body or summary follows the rules of templates: its placeholders are properties of the section's params class.",
  },
  E524: {
    title: 'Malformed overrides',
    meaning: 'Overrides are plain data: texts by section path and by tool name.',
  },
  E525: {
    title: 'Store of overrides failed',
    meaning: 'Overrides could not be read, written or deleted; the cause is attached where there is one.',
  },
  E526: {
    title: 'No store of overrides',
    meaning: 'Overrides were requested, but the application was created without a store.',
  },
  E527: {
    title: 'Overriding text of a tool is wrong',
    meaning:
      "Overriding descriptions and examples follow the rules of declared ones: 1-200 ASCII characters for a tool's, calls that could have been real for examples.",
  },
  E530: {
    title: 'Answer does not have the required form',
    meaning:
      'The prompt or the run declares an output, and what the model wrote cannot be read as one, even after feedback. rawText is what it wrote.',
  },
  E531: {
    title: 'Model did not answer in the required form',
    meaning:
      'The prompt or the run declares an output, and the model declined to answer, was stopped by a content filter, or was cut short. Asking again would not help, so it was not asked.',
  },
};

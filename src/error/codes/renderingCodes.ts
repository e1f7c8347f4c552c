import { createCodeTable, type CodeText } from './CodeText.js';

/** Remedies for rendering, overrides and outputs: E501-E531. */
export const renderingRemedies = createCodeTable({
  E501: 'Bind one: prompt.bind(Class, { … }).',
  E502: 'Correct the hook; the cause is attached.',
  E503: 'Bind a value, or give the property a default. Give an object its own toString, or bind its text.',
  E510: 'Give it a summary in @Section. An empty summary leaves the heading and the way to open the section.',
  E511: 'Use SectionVisibility.FULL or SectionVisibility.SUMMARY.',
  E512: 'Give createApplication a function that returns the number synchronously, or leave tokenEstimator out.',
  E520: 'Compare the override with prompt.descriptor, which lists the texts that may be overridden.',
  E521: 'Read the declared text again, adapt the override, and write it with the hash of prompt.descriptor.',
  E522: 'Use a tag such as "latest" or "experiment-2" that begins with a letter or digit.',
  E523: 'Correct the override: write ${name} for a property, and $$ for a dollar sign.',
  E524: 'Give { sections: { path: { body } }, tools: { name: { description, params, examples } } }.',
  E525: 'Repair or delete the overrides that the message names. A prompt without overrides is rendered as declared.',
  E526: 'Pass a store: createApplication({ overrides: new FileOverridesStore(folder) }).',
  E527: 'Correct the override under the tag that the message names.',
  E530: 'Read issues and rawText. Then describe the fields, loosen the class, or set allowExtraKeys.',
  E531: "Read rawText. Then raise the provider's limit on output tokens, or change the request.",
});

/** Titles and meanings of these codes, for docs/errors.md. */
export const renderingTexts: Readonly<Record<keyof typeof renderingRemedies, CodeText>> = {
  E501: {
    title: 'Params of a section are missing',
    meaning: 'No instance was bound, the section has no default, and the class cannot be constructed without values.',
  },
  E502: {
    title: 'Hook of a section failed',
    meaning: 'enabled, visibility or renderBody threw, or returned a value of the wrong type.',
  },
  E503: {
    title: 'Placeholder has no value',
    meaning:
      'The property is undefined at rendering, or holds an object that prints only its type, such as "[object Object]". null renders as nothing; undefined is treated as a mistake.',
  },
  E510: {
    title: 'Summarised section has no summary',
    meaning: 'A declaration, hook or override shows the section as its summary, but the section has none.',
  },
  E511: {
    title: 'Invalid visibility',
    meaning: 'The visibility of a section must be full or summary.',
  },
  E512: {
    title: 'Tokens cannot be counted',
    meaning: 'The tokenEstimator of the application did not return a number from 0 up; it may have returned a promise.',
  },
  E520: {
    title: 'Override of a fixed element',
    meaning:
      'Overrides can replace only texts of known sections and tools that accept overrides: bodies, summaries, descriptions and examples. Names, types and structure are fixed.',
  },
  E521: {
    title: 'Override of a changed text',
    meaning:
      'The declared text has changed since the override was written. Such an override is refused when it is written, and skipped when the prompt is rendered.',
  },
  E522: {
    title: 'Malformed tag of overrides',
    meaning: 'A tag names a set of overrides and its file. It has 1 to 64 of a-z, 0-9, dot, hyphen and underscore.',
  },
  E523: {
    title: 'Overriding text cannot be rendered',
    meaning:
      "An overriding body or summary follows the rules of templates: its placeholders are properties of the section's params class.",
  },
  E524: {
    title: 'Malformed overrides',
    meaning: 'Overrides are plain data: texts by section path and by tool name.',
  },
  E525: {
    title: 'Store of overrides failed',
    meaning: 'Overrides could not be read, written or deleted. The cause is attached if there is one.',
  },
  E526: {
    title: 'No store of overrides',
    meaning: 'Overrides were requested, but the application was created without a store.',
  },
  E527: {
    title: 'Invalid override of a tool text',
    meaning:
      "Overriding descriptions and examples follow the rules of declared ones: a tool's description has 1-200 ASCII characters, and an example must be a possible call.",
  },
  E530: {
    title: 'Answer does not match the required output',
    meaning:
      "The prompt or the run declares an output. The model's text could not be read as one, even after feedback. rawText holds the text.",
  },
  E531: {
    title: 'Model did not give the required output',
    meaning:
      'The prompt or the run declares an output. The model declined to answer, was stopped by a content filter, or was cut short. It was not asked again, because that would not help.',
  },
};

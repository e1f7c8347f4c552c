import { createCodeTable, type CodeText } from './CodeText.js';

/** Remedies for sections and prompts: E301-E316. */
export const sectionRemedies = createCodeTable({
  E301: 'Decorate the class, or create it with defineSection or definePrompt.',
  E302: 'Change the key with @Section({ key }).',
  E303: 'Give one of them another key.',
  E304: 'Add the property, correct the placeholder, or write $$ for a dollar sign.',
  E305: 'Write $$ for a literal dollar sign.',
  E306: 'Set @Prompt({ ns, key }).',
  E307: 'Write a thunk, () => X. If a decorated signature needs the class, move the class into a third file that both import.',
  E308: 'Remove the section from its own subtree.',
  E309: 'Correct the defaults or the params class.',
  E310: 'Bind new instances of the classes named in @Section({ params }).',
  E311: 'Set @Section({ title }).',
  E312: 'Pass the value that the message asks for.',
  E313: 'Give one of them another key, and list each class once.',
  E314: 'Write the hook as a method or as an option of @Section, or give the member another name.',
  E315: 'Correct the name, or list the tool in a section of the prompt.',
  E316: 'List the sections side by side. A prompt has at most 64 levels of them.',
});

/** Titles and meanings of these codes, for docs/errors.md. */
export const sectionTexts: Readonly<Record<keyof typeof sectionRemedies, CodeText>> = {
  E301: {
    title: 'Class is not declared',
    meaning: 'The listed section or prompt class has no @Section or @Prompt.',
  },
  E302: {
    title: 'Illegal section key',
    meaning:
      'A key is trimmed and lower-cased, and then has 1 to 64 lower-case letters, digits, underscores and hyphens, starting with a letter or digit. A dot separates the keys of a path and cannot be part of a key.',
  },
  E303: {
    title: 'Sibling sections share a key',
    meaning: 'The model knows a section only by its path, so the path must be unique.',
  },
  E304: {
    title: 'Placeholder without a property',
    meaning: "A placeholder of a template must be a property of the section's params class.",
  },
  E305: {
    title: 'Stray dollar sign in a template',
    meaning: 'A dollar sign starts a placeholder: ${name} or $name.',
  },
  E306: {
    title: 'Prompt without namespace or key',
    meaning: 'ns and key name the prompt in events and overrides. Both are trimmed and must not be empty.',
  },
  E307: {
    title: 'Class was undefined when it was read',
    meaning: 'If files import each other in a circle, one of them sees undefined instead of a class.',
  },
  E308: {
    title: 'Section contains itself',
    meaning: 'The children of a section lead back to it, so the tree would never end.',
  },
  E309: {
    title: 'Default params do not fit the section',
    meaning: "A section's defaults are an instance of its params class, or a plain object that parses into it.",
  },
  E310: {
    title: 'Prompt cannot take the params',
    meaning: 'Only instances of params classes that a section uses can be bound, one of each class.',
  },
  E311: {
    title: 'Section title is empty',
    meaning: 'The model reads the title in the heading.',
  },
  E312: {
    title: 'Option has the wrong type',
    meaning:
      'A decorator or define… received a value that the compiler would have refused. Code without types, or with a cast, can pass anything.',
  },
  E313: {
    title: 'Two prompts share a name',
    meaning: 'Namespace and key name a prompt in events and overrides, so each pair must be unique in the application.',
  },
  E314: {
    title: 'Hook cannot be called',
    meaning:
      'enabled and renderBody are called at each rendering: they are options, methods, or fields that hold a function. A getter or another value of these names would be ignored.',
  },
  E315: {
    title: 'Policy names an unknown tool',
    meaning:
      'A policy names a tool that its prompt does not have. The policy would never apply, or would wait for the tool in vain.',
  },
  E316: {
    title: 'Sections nested too deeply',
    meaning:
      'A prompt has at most 64 levels of sections. No model reads headings that deep, and rendering would need a stack of any depth.',
  },
};

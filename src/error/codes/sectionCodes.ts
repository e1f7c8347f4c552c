import { createCodeTable, type CodeText } from './CodeText.js';

/** Sections and prompts as declared: E301-E316: what to do. */
export const sectionRemedies = createCodeTable({
  E301: 'Decorate the class, or make it with defineSection or definePrompt.',
  E302: 'Change the key with @Section({ key }).',
  E303: 'Give one of them another key.',
  E304: 'Add the property, correct the placeholder, or write $$ for a dollar sign.',
  E305: 'Write $$ for a literal dollar sign.',
  E306: 'Set @Prompt({ ns, key }).',
  E307: 'Write a thunk, () => X; where a decorated signature needs the class, move it into a third file that both import.',
  E308: 'Remove the section from its own subtree.',
  E309: 'Correct the defaults or the params class.',
  E310: 'Bind new instances of the classes named in @Section({ params }).',
  E311: 'Set @Section({ title }).',
  E312: 'Pass the value that the message asks for.',
  E313: 'Give one of them another key, and list each class once.',
  E314: 'Write the hook as a method or as an option of @Section, or give the member another name.',
  E315: 'Correct the name, or list the tool in a section of the prompt.',
  E316: 'List the sections side by side; a prompt has at most 64 levels of them.',
});

/** What the codes mean, for docs/errors.md. */
export const sectionTexts: Readonly<Record<keyof typeof sectionRemedies, CodeText>> = {
  E301: {
    title: 'Class is not declared',
    meaning: 'A section or prompt class was listed that carries no @Section or @Prompt.',
  },
  E302: {
    title: 'Illegal section key',
    meaning:
      'A key is trimmed and lower-cased, then has 1 to 64 lower-case letters, digits, underscores and hyphens, starting with a letter or digit. A dot separates path elements and is no part of a key.',
  },
  E303: {
    title: 'Sibling sections share a key',
    meaning: 'The path of a section is its only name for the model, so it must be unique.',
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
    meaning: 'ns and key name the prompt in events and overrides; both are trimmed and not empty.',
  },
  E307: {
    title: 'Class was undefined when it was read',
    meaning: 'Files that import each other in a circle see undefined where a class is expected.',
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
    title: 'Params that the prompt cannot take',
    meaning: 'Only instances of params classes that some section uses can be bound, one of each class.',
  },
  E311: {
    title: 'Section title is empty',
    meaning: 'The title is what the model reads in the heading.',
  },
  E312: {
    title: 'Option of the wrong kind',
    meaning:
      'A decorator or define… received a value that the compiler would have refused. Code without types, or with a cast, can pass anything.',
  },
  E313: {
    title: 'Two prompts under one name',
    meaning:
      'Namespace and key name a prompt in events and overrides, so each pair identifies one prompt of the application.',
  },
  E314: {
    title: 'Hook that cannot be called',
    meaning:
      'enabled and renderBody are called at each rendering: they are options, methods, or fields that hold a function. A getter or another value under these names would be ignored.',
  },
  E315: {
    title: 'Policy that names an unknown tool',
    meaning: 'A policy names a tool that its prompt does not have. It would never apply to it, or wait for it in vain.',
  },
  E316: {
    title: 'Sections nested too deeply',
    meaning:
      'A prompt has at most 64 levels of sections. No model reads headings that deep, and rendering would need a stack of any depth.',
  },
};
